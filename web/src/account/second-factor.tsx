/** /~/settings/second-factor: a code of an app beside the password, and codes on paper for the day on which the app is lost. */
import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { faultsByField } from '../api/failure.ts';
import { CodeField } from '../session/code.tsx';
import { secondFactor as text } from '../texts/account.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type Factor = Resource<'second-factors'>['attributes'];
type Act = 'renew-recovery-codes' | 'turn-off';

const path = '/account/second-factor';
const changed = () => cache.invalidateQueries({ queryKey: ['account'] });

async function begin(password: string): Promise<Factor> {
  const attributes = password === '' ? {} : { 'current-password': password };
  return (await answer(api.POST(path, { body: { data: { type: 'second-factors', attributes } } }))).data.attributes;
}

const withCode = (code: string) => ({ body: { data: { type: 'second-factors' as const, attributes: { code } } } });

/** Both answer the new recovery codes, this once. */
async function newCodes(act: 'confirm' | 'renew-recovery-codes', code: string): Promise<readonly string[]> {
  const document = await answer(api.POST(`${path}/actions/${act}`, withCode(code)));
  await changed();
  return document.data.attributes['recovery-codes'] ?? [];
}

async function turnOff(code: string): Promise<readonly string[]> {
  await answer(api.POST(`${path}/actions/turn-off`, withCode(code)));
  await changed();
  return [];
}

export function SecondFactor() {
  const [open, setOpen] = useState<'begin' | Act | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const query = useQuery({
    queryKey: ['account', 'second-factor'],
    queryFn: async () => (await answer(api.GET(path, {}))).data.attributes,
  });
  const close = () => setOpen(null);
  return (
    <Card title={text.title}>
      <Loaded query={query} skeleton={<Skeleton rows={2} />}>
        {({ 'is-enabled': isOn, 'confirmed-at': since, 'recovery-codes-left': left }) => (
          <div className="form">
            {isOn ? (
              <p>
                {text.on} <Time at={since} />. {text.left(left)}
              </p>
            ) : (
              <p>{text.off}</p>
            )}
            <div className="line wrap">
              {!isOn && (
                <Button variant="filled" onClick={() => setOpen('begin')}>
                  {text.turnOn}
                </Button>
              )}
              {isOn && (
                <>
                  <Button variant="default" onClick={() => setOpen('renew-recovery-codes')}>
                    {text.renew}
                  </Button>
                  <Button variant="danger-outline" onClick={() => setOpen('turn-off')}>
                    {text.turnOff}
                  </Button>
                </>
              )}
            </div>
          </div>
        )}
      </Loaded>
      {open === 'begin' && <TurnOn onClose={close} onCodes={setCodes} />}
      {open !== null && open !== 'begin' && <WithCode act={open} onClose={close} onCodes={setCodes} />}
      {codes.length > 0 && <RecoveryCodes codes={codes} onStored={() => setCodes([])} />}
    </Card>
  );
}

interface Steps {
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
}

/** First the password, so that whoever finds a session open locks nobody out; then the app, proven by its first code. */
function TurnOn({ onClose, onCodes }: Steps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [begun, setBegun] = useState<Factor | null>(null);
  const [fault, setFault] = useState('');
  const submit = async () => {
    setFault('');
    try {
      if (!begun) return setBegun(await begin(password));
      onCodes(await newCodes('confirm', code.trim()));
      onClose();
    } catch (caught) {
      setFault(faultsByField(caught)['current-password'] ?? '');
      throw caught;
    }
  };
  return (
    <Dialog
      title={text.turnOnTitle}
      opened
      onClose={onClose}
      submit={begun ? text.confirm : text.next}
      submitDisabled={begun !== null && code.trim() === ''}
      onSubmit={submit}
    >
      {!begun && (
        <PasswordInput
          label={text.password}
          description={text.passwordHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={fault}
          onChange={event => setPassword(event.currentTarget.value)}
        />
      )}
      {begun?.secret && begun['otpauth-url'] && (
        <>
          <p>{text.scan}</p>
          <QrCode text={begun['otpauth-url']} label={text.qr} />
          <p className="muted">{text.typed}</p>
          <CodeBlock text={begun.secret} label={text.secret} />
          <CodeField code={code} hint={text.codeHint} onChange={setCode} />
        </>
      )}
    </Dialog>
  );
}

function WithCode({ act: name, onClose, onCodes }: Steps & { act: Act }) {
  const [code, setCode] = useState('');
  const words = name === 'turn-off' ? text.ending : text.renewing;
  const submit = async () => {
    onCodes(name === 'turn-off' ? await turnOff(code.trim()) : await newCodes(name, code.trim()));
    onClose();
  };
  return (
    <Dialog
      title={words.title}
      opened
      danger={name === 'turn-off'}
      onClose={onClose}
      submit={words.submit}
      submitDisabled={code.trim() === ''}
      onSubmit={submit}
    >
      <p>{words.ends}</p>
      <CodeField code={code} onChange={setCode} />
    </Dialog>
  );
}
