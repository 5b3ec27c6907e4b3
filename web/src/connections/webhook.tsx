/** What a forge is to send, and what followed from what it sent: below the connection that was opened. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { webhooks as text } from '../texts/connections.ts';
import { SecretOnce } from '../tokens/secret-once.tsx';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Empty, Facts } from '../ui/parts.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { Time } from '../ui/time.tsx';
import { type Connection, connectionName, type Delivery, deliveriesQuery, renewSecret } from './connections.ts';

interface Props {
  organization: string;
  connection: Connection;
  mayChange: boolean;
}

export function Webhook({ organization, connection, mayChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { attributes, id } = connection;
  const hasSecret = attributes['has-webhook-secret'];
  const name = connectionName(connection);
  const renew = async () => {
    setSecret(await renewSecret(id));
    setOpen(false);
  };
  return (
    <>
      <Card
        title={text.title(name)}
        action={
          mayChange && (
            <Button
              size="xs"
              variant="default"
              onClick={() => (hasSecret ? setOpen(true) : void renew().catch(tellFailure))}
            >
              {hasSecret ? text.renew : text.make}
            </Button>
          )
        }
      >
        <div className="stack tight">
          <p className="muted">{text.lead}</p>
          <p className="line">
            <span className="mono anywhere">{attributes['webhook-url']}</span>
            <Copy text={attributes['webhook-url']} label={text.copy} />
          </p>
          <p>{text.setUp[attributes['service-provider']]}</p>
          {!hasSecret && <p className="muted">{text.noSecret}</p>}
        </div>
      </Card>
      <Deliveries organization={organization} connection={connection} />
      <Dialog
        title={text.renewTitle(name)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.renewSubmit}
        onSubmit={renew}
      >
        <p>{text.renewEnds}</p>
      </Dialog>
      {secret !== null && (
        <SecretOnce
          secret={secret}
          title={text.secretTitle}
          detail={text.secretDetail}
          stored={text.stored}
          onStored={() => setSecret(null)}
        />
      )}
    </>
  );
}

function Deliveries({ organization, connection }: Omit<Props, 'mayChange'>) {
  const query = useQuery(deliveriesQuery(connection.id));
  const title = text.deliveries(connectionName(connection));
  return (
    <Card title={title} flush>
      <Loaded query={query} skeleton={<Skeleton rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.none}>
              <p>{text.noneDetail}</p>
            </Empty>
          ) : (
            <ul aria-label={title}>
              {data.map(delivery => (
                <li key={delivery.id} className="card-row">
                  <OneDelivery organization={organization} delivery={delivery} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function OneDelivery({ organization, delivery: { attributes } }: { organization: string; delivery: Delivery }) {
  const { events, outcomes, explanation, 'further-outcomes': further } = attributes;
  return (
    <details>
      <summary>
        <Outcomes delivery={attributes} /> <Time at={attributes['received-at']} />{' '}
        <span className="muted anywhere">{events.map(text.event).join('; ') || explanation}</span>
      </summary>
      <div className="stack tight delivery">
        {explanation && <p>{explanation}</p>}
        <Facts
          facts={outcomes.map(outcome => [
            outcome['workspace-name'],
            <Outcome key="o" {...{ organization, outcome }} />,
          ])}
        />
        {further > 0 && <p className="muted">{text.further(further)}</p>}
      </div>
    </details>
  );
}

/** In one word: what went wrong comes before what went well. */
function Outcomes({ delivery: { status, outcomes } }: { delivery: Delivery['attributes'] }) {
  const begun = outcomes.filter(({ begins }) => begins !== null).length;
  const hasFailed = outcomes.some(outcome => outcome['error-message'] !== null);
  const [group, said] =
    status === 'waiting'
      ? ['running', text.waiting]
      : hasFailed
        ? ['errored', text.failed]
        : [begun > 0 ? 'applied' : 'quiet', text.begun(begun)];
  return (
    <span className="badge" data-group={group}>
      {said}
    </span>
  );
}

interface OutcomeProps {
  organization: string;
  outcome: Delivery['attributes']['outcomes'][number];
}

function Outcome({ organization, outcome }: OutcomeProps) {
  const { begins, reason, 'run-id': run, 'workspace-name': workspace, 'error-message': error } = outcome;
  return (
    <span className="anywhere">
      {begins === null ? text.nothing : text.begins[begins]}: {reason}{' '}
      {run && (
        <Link className="link" to={paths.run(organization, workspace, run)}>
          {run}
        </Link>
      )}
      {error && <span className="danger-text">{error}</span>}
    </span>
  );
}
