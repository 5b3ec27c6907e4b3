/** A provider of SAML 2.0 on loopback, which signs what the test wants it to say. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { createDirectory } from './database.ts';

export interface Keys {
  key: string;
  certificate: string;
}

/** What an assertion says, where it is not what an honest one would. */
export interface Saying {
  id?: string;
  issuer?: string;
  audience?: string | null;
  recipient?: string;
  subject?: string;
  format?: string;
  inResponseTo?: string;
  /** From now, in seconds. */
  from_s?: number;
  until_s?: number | null;
  attributes?: Record<string, string[]>;
  keys?: Keys | null;
  /** Signed as it was done twenty years ago. */
  isSha1?: boolean;
  /** What becomes of the answer once it is signed. */
  tampered?: (xml: string) => string;
}

export interface SamlProvider {
  issuer: string;
  signInUrl: string;
  keys: Keys;
  /** What it says of whom. */
  people: Map<string, Saying>;
  /** The answer to a request of a browser, in the form in which it is posted. */
  answerTo: (address: string, saying?: Saying) => string;
  close: () => Promise<void>;
}

/** `site` is the service that it speaks to: its name, and where answers are posted. */
export async function samlProvider(
  site: { audience: string; recipient: string },
  host = '127.0.0.1',
): Promise<SamlProvider> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const signInUrl = `http://${host}:${(server.address() as AddressInfo).port}/sign-in`;
  const provider: SamlProvider = {
    issuer: 'urn:example:directory',
    signInUrl,
    keys: newKeys(),
    people: new Map(),
    answerTo: (address, saying = {}) => {
      const request = new URL(address).searchParams.get('SAMLRequest')!;
      const xml = inflateRawSync(Buffer.from(request, 'base64')).toString();
      const inResponseTo = / ID="([^"]+)"/.exec(xml)![1]!;
      const said = { issuer: provider.issuer, keys: provider.keys, inResponseTo, ...site, ...saying };
      return Buffer.from(answer(said)).toString('base64');
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
  server.on('request', (request, response) => {
    const url = new URL(request.url!, signInUrl);
    if (url.pathname !== '/sign-in') return void response.writeHead(404).end();
    const buttons = [...provider.people].map(([name, saying]) => {
      const value = provider.answerTo(url.href, { subject: name, ...saying });
      return `<form method="post" action="${site.recipient}"><input type="hidden" name="SAMLResponse" value="${value}">
        <button>Continue as ${name}</button></form>`;
    });
    response.setHeader('content-type', 'text/html').end(buttons.join(''));
  });
  return provider;
}

/** A key, and a certificate that it signed itself. */
export function newKeys(): Keys {
  const directory = createDirectory();
  mkdirSync(directory, { recursive: true });
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=directory'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
}

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

function answer(saying: Saying): string {
  const { id = `_${Math.random().toString(36).slice(2)}`, issuer, inResponseTo, recipient, audience } = saying;
  const { from_s = 0, until_s = 300, subject = '', attributes = {}, keys, tampered = xml => xml } = saying;
  const format = saying.format ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  const until = until_s === null ? '' : `NotOnOrAfter="${at(until_s)}"`;
  const listed = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map(value => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(Math.min(from_s, 0))}">
<saml:Issuer>${issuer}</saml:Issuer>
<saml:Subject><saml:NameID Format="${format}">${subject}</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
<saml:SubjectConfirmationData Recipient="${recipient}" InResponseTo="${inResponseTo}" ${until}/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="${at(from_s)}" ${until}>${audience === null ? '' : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`}</saml:Conditions>
<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
${listed.length > 0 ? `<saml:AttributeStatement>${listed.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`;
  const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response${id}" Version="2.0" IssueInstant="${at(0)}" InResponseTo="${inResponseTo}" Destination="${recipient}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
  return tampered(keys ? signed(xml, keys, saying.isSha1) : xml);
}

const old = 'http://www.w3.org/2000/09/xmldsig#';

function signed(xml: string, { key }: Keys, isSha1 = false): string {
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: isSha1 ? `${old}rsa-sha1` : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: exclusive,
  });
  signature.addReference({
    xpath: "//*[local-name(.)='Assertion']",
    digestAlgorithm: isSha1 ? `${old}sha1` : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
  });
  const location = { reference: "//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' } as const;
  signature.computeSignature(xml, { location });
  return signature.getSignedXml();
}
