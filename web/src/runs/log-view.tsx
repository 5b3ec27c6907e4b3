/** A log: read piece by piece until its end mark, drawn only where it is looked at, followed when at the end. */
import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { live_ms } from '../api/live.ts';
import { runs as text } from '../texts/runs.ts';
import { Icon } from '../ui/icon.tsx';
import { Failure } from '../ui/loaded.tsx';
import { saveFile } from '../ui/save-file.ts';
import { linesOf, type Part, partsOf, readable } from './escapes.ts';

const startMark = '\u0002';
const endMark = '\u0003';
const piece_bytes = 65_536;
const mostPieces = 400;

interface Log {
  bytes: number;
  text: string;
  isComplete: boolean;
}

/** Reads on from where the last reading ended. */
async function readOn(address: string, before: Log | undefined): Promise<Log> {
  let { bytes, text: read, isComplete } = before ?? { bytes: 0, text: '', isComplete: false };
  const { pathname, search } = new URL(address);
  for (let piece = 0; piece < mostPieces && !isComplete; piece += 1) {
    const parameters = new URLSearchParams(search);
    parameters.set('limit', String(piece_bytes));
    parameters.set('offset', String(bytes));
    const response = await fetch(`${pathname}?${parameters}`);
    if (!response.ok) throw new ApiFailure(response.status, [], response.headers.get('x-request-id'), null);
    const buffer = new Uint8Array(await response.arrayBuffer());
    const whole = wholeLetters(buffer);
    if (whole === 0) break;
    bytes += whole;
    const letters = new TextDecoder().decode(buffer.subarray(0, whole));
    read += letters;
    isComplete = letters.includes(endMark);
    if (buffer.length < piece_bytes) break;
  }
  return { bytes, text: read, isComplete };
}

/** How many bytes are whole letters: the last one may go on in the next piece. */
export function wholeLetters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

export function LogView({ title, address, name }: { title: string; address: string; name: string }) {
  const last = useRef<Log | undefined>(undefined);
  const query = useQuery({
    queryKey: ['logs', address.split('?')[0]],
    refetchInterval: ({ state }) => (state.data?.isComplete ? false : live_ms.log),
    queryFn: async () => {
      last.current = await readOn(address, last.current);
      return last.current;
    },
  });
  const [typed, setTyped] = useState('');
  const [isWrapped, setWrapped] = useState(false);
  const content = query.data?.text.replaceAll(startMark, '').replaceAll(endMark, '') ?? '';
  const lines = useMemo(() => styled(content), [content]);
  const hits = useMemo(
    () =>
      typed === ''
        ? []
        : lines.flatMap((line, at) =>
            line.some(part => part.text.toLowerCase().includes(typed.toLowerCase())) ? [at] : [],
          ),
    [lines, typed],
  );
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>
          {title} <span className="faint small">{text.logLines(lines.length)}</span>
        </h2>
        <TextInput
          aria-label={text.logFind}
          placeholder={text.logFind}
          value={typed}
          rightSectionWidth="auto"
          rightSection={typed !== '' && <span className="small muted field-note">{hits.length}</span>}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label={text.logWrap}
          checked={isWrapped}
          onChange={event => setWrapped(event.currentTarget.checked)}
        />
        <ActionIcon variant="subtle" aria-label={text.logDownload} onClick={() => saveFile(content, `${name}.log`)}>
          <Icon name="download" />
        </ActionIcon>
      </header>
      {lines.length === 0 ? (
        <div className="card-body">
          {query.isError ? (
            <Failure failure={query.error} retry={() => void query.refetch()} />
          ) : (
            <p className="muted">{text.noLog}</p>
          )}
        </div>
      ) : (
        <Lines
          lines={lines}
          hits={new Set(hits)}
          first={hits[0]}
          isWrapped={isWrapped}
          isLive={!query.data?.isComplete}
          title={title}
        />
      )}
    </section>
  );
}

function styled(content: string): Part[][] {
  if (content === '') return [];
  let styles: string[] = [];
  const lines = linesOf(content);
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => {
    const { parts, styles: next } = partsOf(readable(line), styles);
    styles = next;
    return parts;
  });
}

interface LinesProps {
  lines: Part[][];
  hits: ReadonlySet<number>;
  first: number | undefined;
  isWrapped: boolean;
  isLive: boolean;
  title: string;
}

const line_px = 20;
const around = 40;
const windowedFrom = 1000;

/** Over a thousand lines only those in sight are in the page; wrapped lines have no fixed height, and are all there. */
function Lines({ lines, hits, first, isWrapped, isLive, title }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isAtEnd = useRef(true);
  const isWindowed = !isWrapped && lines.length > windowedFrom;
  const height = 600;
  const from = isWindowed ? Math.max(0, Math.floor(top / line_px) - around) : 0;
  const to = isWindowed ? Math.min(lines.length, Math.ceil((top + height) / line_px) + around) : lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer log is what moves the end.
  useEffect(() => {
    if (isLive && isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, isLive]);
  useEffect(() => {
    if (first !== undefined && box.current) box.current.scrollTop = Math.max(0, (first - 3) * line_px);
  }, [first]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 2 * line_px;
    if (isWindowed) setTop(scrollTop);
  };
  return (
    <section
      ref={box}
      className="log"
      data-wrapped={isWrapped || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      aria-label={title}
      onScroll={onScroll}
    >
      <div style={{ height: from * line_px }} />
      {lines.slice(from, to).map((parts, index) => {
        const number = from + index + 1;
        return (
          <div key={number} className="log-line" data-hit={hits.has(number - 1) || undefined}>
            <i aria-hidden="true">{number}</i>
            <span>
              {parts.map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place.
                <span key={at} className={part.styles.map(style => `log-${style}`).join(' ')}>
                  {part.text}
                </span>
              ))}
            </span>
          </div>
        );
      })}
      <div style={{ height: (lines.length - to) * line_px }} />
    </section>
  );
}
