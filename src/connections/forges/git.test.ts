/** The webhook that anybody can send: who signs it, what it says, and what is wrong with it. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { limits } from '../../core/limits.ts';
import { MalformedDelivery } from './forge.ts';
import { git } from './git.ts';

const secret = 'a secret of this connection';
const commit = { sha: 'c'.repeat(40), message: 'Open the gate', url: 'https://git.example/net/c' };
const push = { event: 'push', repository: 'acme/net', branch: 'main', commit, changed_files: ['main.tf', 'main.tf'] };

function delivery(sent: unknown, headers: Record<string, string> = {}) {
  const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return { headers: { 'terrane-signature': signature, ...headers }, body };
}

describe('§4.2 vcs-repo: a delivery of plain git', () => {
  test('§4.2 is signed over its bytes by the secret, and by nothing else', () => {
    const sent = delivery(push);
    expect(git.isSigned(sent, secret)).toBe(true);
    expect(git.isSigned(sent, 'another secret')).toBe(false);
    expect(git.isSigned({ ...sent, body: Buffer.concat([sent.body, Buffer.from(' ')]) }, secret)).toBe(false);
    expect(git.isSigned({ ...sent, headers: {} }, secret)).toBe(false);
    const bare = sent.headers['terrane-signature'].slice('sha256='.length);
    expect(git.isSigned({ ...sent, headers: { 'terrane-signature': bare } }, secret)).toBe(false);
  });

  test('§4.2 has the id that its header names, if that is one', () => {
    expect(git.deliveryId(delivery(push, { 'terrane-delivery': '7' }))).toBe('7');
    expect(git.deliveryId(delivery(push, { 'terrane-delivery': '7'.repeat(256) }))).toBe(null);
    expect(git.deliveryId(delivery(push))).toBe(null);
  });

  test('§4.2 a push says its branch, its commit and the files that changed, each once', () => {
    expect(git.read(delivery(push))).toEqual([
      {
        kind: 'push',
        repository: 'acme/net',
        branch: 'main',
        default_branch: null,
        tag: null,
        commit_sha: commit.sha,
        base_sha: null,
        commit_message: 'Open the gate',
        commit_url: 'https://git.example/net/c',
        compare_url: null,
        changed_files: ['main.tf'],
        sender: null,
        pull_request: null,
      },
    ]);
  });

  test('§4.2 a tag has no branch, and a pull request has both of its branches', () => {
    const [tag] = git.read(delivery({ ...push, event: 'tag', tag: 'v1.0' }));
    expect(tag).toMatchObject({ kind: 'tag', branch: null, tag: 'v1.0' });
    const pull_request = { number: 7, title: 'A gate', head_branch: 'gate', url: 'https://git.example/net/7' };
    expect(git.read(delivery({ ...push, pull_request }))).toMatchObject([{ kind: 'push', pull_request: null }]);
    const [pull] = git.read(delivery({ ...push, event: 'pull-request', pull_request, sender: { username: 'ann' } }));
    expect(pull).toMatchObject({
      branch: 'main',
      sender: { username: 'ann', avatar_url: null, html_url: null },
      pull_request: { ...pull_request, body: null, is_fork: false },
    });
  });

  test('§4.2 a branch that is gone begins nothing', () => {
    expect(git.read(delivery({ ...push, commit: { ...commit, sha: '0'.repeat(40) } }))).toEqual([]);
  });

  test.each([
    ['no JSON', '{', 'The body is not JSON'],
    ['no object', [], 'The body must be object'],
    ['no commit', { ...push, commit: undefined }, "must have required property 'commit'"],
    ['a short commit', { ...push, commit: { sha: 'cccc' } }, '/commit/sha must match pattern'],
    ['no branch', { ...push, branch: undefined }, '/branch must be given of a push'],
    ['no tag', { ...push, event: 'tag' }, '/tag must be given of a tag'],
    ['no pull request', { ...push, event: 'pull-request' }, '/pull_request must be given'],
    ['a name with a control character', { ...push, repository: 'acme/net\u0000' }, '/repository must match pattern'],
    ['a name with half a character', { ...push, branch: 'main\ud800' }, '/branch'],
  ])('§4.2 %s is refused by what is wrong', (_, sent, reason) => {
    const read = () => git.read(delivery(sent));
    expect(read).toThrow(MalformedDelivery);
    expect(read).toThrow(reason);
  });

  test('§4.2 texts are cut where nobody reads on, addresses that are too long or no addresses are left out', () => {
    const { eventText_characters, eventLine_characters } = limits;
    const long = `${'a'.repeat(eventText_characters.value - 1)}\u{1f511}b\0`;
    const address = `https://git.example/${'a'.repeat(eventLine_characters.value)}`;
    const [event] = git.read(
      delivery({ ...push, commit: { ...commit, message: long, url: address }, compare_url: 'javascript:alert(1)' }),
    );
    expect(event?.commit_message).toBe(`${'a'.repeat(eventText_characters.value - 1)}\ufffd`);
    expect(event).toMatchObject({ commit_url: null, compare_url: null });
  });

  test('§4.2 where too much has changed, it is not said what', () => {
    const { changedFiles_items, changedPath_characters } = limits;
    const changed = (files: string[]) => git.read(delivery({ ...push, changed_files: files }))[0]?.changed_files;
    const many = Array.from({ length: changedFiles_items.value }, (_, n) => `${n}.tf`);
    expect(changed(many)).toHaveLength(many.length);
    expect(changed([...many, 'one more'])).toBe(null);
    expect(changed(['a'.repeat(changedPath_characters.value)])).toHaveLength(1);
    expect(changed(['a'.repeat(changedPath_characters.value + 1)])).toBe(null);
  });

  test('§4.2 a form carries the same in its field `payload`', () => {
    const form = new URLSearchParams({ payload: JSON.stringify(push) }).toString();
    const type = 'application/x-www-form-urlencoded';
    for (const said of [type, `${type}; charset=utf-8`]) {
      expect(git.read(delivery(form, { 'content-type': said }))).toEqual(git.read(delivery(push)));
    }
  });
});

describe('§4.2 vcs-repo: plain git', () => {
  const connection = {
    service_provider: 'git' as const,
    http_url: 'https://git.example/srv/',
    api_url: '',
    token: 't0k',
  };

  test('§4.2 clones by what was typed: each part is one segment of the path', () => {
    expect(git.clone(connection, 'acme/net work.git')).toEqual({
      url: 'https://git.example/srv/acme/net%20work.git',
      username: 'git',
      password: 't0k',
    });
    expect(git.clone({ ...connection, token: 'ann:a:b' }, 'a/b')).toMatchObject({ username: 'ann', password: 'a:b' });
    expect(git.clone(connection, 'a%20b/../%2e%2e/x?y').url).toBe('https://git.example/srv/a%20b/-/-/x%3Fy');
    expect(git.sshAddress(connection, 'srv/net.git')).toBe('ssh://git@git.example/srv/net.git');
  });
});
