/** Every limit there is, each with its reason: docs/operating.md prints this table. */

export interface Limit {
  /** In the unit that ends the limit's name. */
  value: number;
  reason: string;
}

const limit = (value: number, reason: string): Limit => ({ value, reason });

export const limits = {
  headers_bytes: limit(64 * 1024, 'A token, and what proxies add.'),
  headers_items: limit(200, 'Ten times what clients and proxies send.'),
  headersTime_ms: limit(10_000, 'They fit in a few packets; who takes longer holds a connection for nothing.'),
  bodyTime_ms: limit(30_000, 'A body of 1 MiB over the slowest line that anybody works on.'),
  longBodyPause_ms: limit(30_000, 'An upload of a state may take long as a whole, but it moves.'),
  longBodyTime_ms: limit(3_600_000, 'A state of 1 GiB at 300 kB a second.'),
  connections_items: limit(10_000, 'Each takes some ten kilobytes, and a file descriptor.'),
  callerRequests_items: limit(64, 'A plan over many workspaces with the greatest parallelism that clients offer.'),
  requests_items: limit(2000, 'More would wait for the database longer than anybody waits for an answer.'),
  bodies_bytes: limit(64 * 1024 * 1024, 'Of bodies that are read whole: sixty-four of the longest.'),
  callerBodies_bytes: limit(8 * 1024 * 1024, 'So that it takes eight callers, and not one, to fill them.'),
  body_bytes: limit(1024 * 1024, 'The largest honest body is a variable of 256 KiB, escaped.'),
  bodyDepth_levels: limit(32, 'Documents are eight deep.'),
  bodyList_items: limit(1000, 'What people select at once; more are sent in several requests.'),
  bodyValues_items: limit(20_000, 'A list of the longest, with all members of each item.'),
  queryParameters_items: limit(200, 'Every filter of every list at once is fewer.'),
  queryList_items: limit(20, 'Each is a condition of its own, and all must hold.'),
  queryNames_items: limit(200, 'A page of names that a client looks up at once, twice over.'),
  searchText_characters: limit(1024, 'Longer than any name, message or address that is searched.'),
  faults_items: limit(20, 'Enough to mend a body by; more would only make the answer large.'),
  userAgent_characters: limit(256, 'Enough to tell browsers apart in a list of sessions.'),
  hashes_items: limit(2, 'Passwords hashed at once: each takes 32 MiB and half a core meanwhile.'),
  waitingHashes_items: limit(100, 'More would wait longer than anybody waits to be signed in.'),
  accountAttempts_items: limit(5, 'Attempts to sign in to one account in a window; people mistype two or three times.'),
  addressAttempts_items: limit(20, 'From one address, behind which may be an office.'),
  attemptsWindow_ms: limit(300_000, 'Within it, 1,000 guesses cost at most 20 hashes.'),
  keptChanges_hours: limit(24, 'Who follows an organization and was away longer reads it anew.'),
  longPoll_ms: limit(30_000, 'Proxies commonly give up after a minute.'),
  heartbeat_ms: limit(
    15_000,
    'Proxies commonly close what is silent for thirty seconds; a lost permission ends a stream by then.',
  ),
  streamTime_ms: limit(3_600_000, 'Whoever follows longer connects again, perhaps with another server.'),
  callerStreams_items: limit(8, 'Tabs of one person, and a few programs.'),
  streams_items: limit(500, 'Each asks the database when something changed.'),
  formerNames_days: limit(30, 'Old links are in messages and tickets, which nobody opens after a month.'),
  rememberedCallers_items: limit(10_000, 'A few hundred bytes each; whoever is forgotten is read again.'),
  keptRows_bytes: limit(64 * 1024 * 1024, 'Beside what requests under way take, a server stays under 250 MB.'),
  keptDocuments_items: limit(4, 'Most workspaces are read by people of two or three different powers.'),
  lockLease_days: limit(30, 'Who plans longer with a lock means one without an end.'),
  connecting_ms: limit(1800, 'Whoever waits for a connection that cannot be made is told so within two seconds.'),
  statementTime_ms: limit(10_000, 'A hundred times the slowest statement by id or page that was measured.'),
  searchTime_ms: limit(5000, 'Whoever searches has looked away by then.'),
  lockTime_ms: limit(2000, 'Rows are held for milliseconds; who waits longer is better told to come again.'),
  idleTransaction_ms: limit(30_000, 'Nothing in a transaction waits for a caller.'),
  connectionWait_ms: limit(5000, 'Longer than that, a client has given up or asks again.'),
  connectionWaits_items: limit(1000, 'In each lane: five seconds of work, at a few milliseconds each.'),
  preparedStatements_items: limit(
    500,
    'Three times those that there are; each takes up to half a megabyte of a connection.',
  ),
  parameters_items: limit(65_535, 'What the protocol counts to.'),
  auditTrail_items: limit(100_000, 'What a collector catches up with; it comes back with the time of the newest.'),
  namedGivers_items: limit(20, 'Whoever wants access asks one of the first few.'),
  runLog_bytes: limit(64 * 1024 * 1024, 'A plan of ten thousand resources prints a tenth of that.'),
  runLogPiece_bytes: limit(1024 * 1024, 'What an agent sends at once.'),
  runPlan_bytes: limit(256 * 1024 * 1024, 'A plan holds the state and the configuration.'),
  planTime_s: limit(7200, 'What the vendor gives a plan.'),
  applyTime_s: limit(86_400, 'What the vendor gives an apply.'),
  waitingAgents_items: limit(2000, 'Each holds a connection while it waits for a job.'),
  wholeList_items: limit(1000, 'Of lists that clients want without pages.'),
} as const satisfies Record<string, Limit>;
