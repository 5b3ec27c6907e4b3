/** The page that asks whether `terraform login` may have a token: plain, since the command line opens it in any browser. */

/** `nonce` is the one of the answer's content security policy. */
export function loginPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Allow the command line · Terrane</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; }
  button { font: inherit; padding: 0.5rem 1rem; margin-right: 0.5rem; }
</style>
<main>
  <h1>Allow the command line?</h1>
  <p role="status" id="words">One moment.</p>
  <p id="ways" hidden>
    <button id="allow">Allow</button>
    <button id="refuse">Refuse</button>
  </p>
  <p id="sign-in" hidden><a href="/app/~/sign-in" target="_blank" rel="noopener">Sign in</a>, then load this page again.</p>
</main>
<script nonce="${nonce}">
  const words = document.getElementById('words');
  const show = id => { document.getElementById(id).hidden = false; };
  const asked = Object.fromEntries(
    [...new URLSearchParams(location.search)].map(([name, value]) => [name.replaceAll('_', '-'), value]),
  );
  const problem = async answer =>
    (await answer.json()).errors.map(error => error.detail ?? error.title).join(' ');
  async function decide(isAllowed) {
    document.getElementById('ways').hidden = true;
    const attributes = { ...asked, 'is-allowed': isAllowed };
    const answer = await fetch('/api/v2/account/login-authorizations', {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'login-authorizations', attributes } }),
    });
    if (!answer.ok) {
      words.textContent = await problem(answer);
      return;
    }
    words.textContent = isAllowed ? 'Allowed. The terminal goes on.' : 'Refused. Stop the command line with Ctrl-C.';
    location.assign((await answer.json()).data.attributes['redirect-to']);
  }
  document.getElementById('allow').onclick = () => decide(true);
  document.getElementById('refuse').onclick = () => decide(false);
  fetch('/api/v2/account/session?include=user').then(async answer => {
    if (answer.status === 401) {
      words.textContent = 'terraform on your machine asks for a token. Nobody is signed in here.';
      return show('sign-in');
    }
    if (!answer.ok) {
      words.textContent = await problem(answer);
      return;
    }
    const { username } = (await answer.json()).included[0].attributes;
    words.textContent =
      'terraform on your machine asks for a token. It acts as ' + username + ', with everything that ' + username + ' may do.';
    show('ways');
  });
</script>
`;
}
