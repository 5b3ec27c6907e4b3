/** What became of the last messages that one notification sent, the newest first. */
import { notifications as text } from '../texts/notifications.ts';
import { Card, Empty, Facts } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import type { Notification } from './notifications.ts';

type Response = Notification['attributes']['delivery-responses'][number];

export function Deliveries({ notification: { attributes } }: { notification: Notification }) {
  const responses = attributes['delivery-responses'];
  return (
    <Card title={text.deliveries(attributes.name)} flush>
      {responses.length === 0 ? (
        <Empty title={text.noDelivery}>
          <p>{text.noDeliveryDetail}</p>
        </Empty>
      ) : (
        <ul aria-label={text.deliveries(attributes.name)}>
          {responses.map((response, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a delivery has no identity but its time, which two can share.
            <li key={`${response['sent-at']} ${index}`} className="card-row">
              <Delivery response={response} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Delivery({ response }: { response: Response }) {
  const isTaken = response.successful === 'true';
  return (
    <details>
      <summary>
        <span className="badge" data-group={isTaken ? 'applied' : 'errored'}>
          {isTaken ? text.taken : text.notTaken}
        </span>{' '}
        <Time at={response['sent-at']} /> <span className="muted">{response.code || text.noAnswer}</span>
      </summary>
      <div className="stack tight delivery">
        <Facts
          facts={[
            [
              text.to,
              <span key="to" className="mono">
                {response.url}
              </span>,
            ],
            ...Object.entries(response.headers).map(([name, values]) => [name, values.join(', ')] as const),
          ]}
        />
        {response.body && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
          <section className="code" tabIndex={0} aria-label={text.answer}>
            {response.body}
          </section>
        )}
      </div>
    </details>
  );
}
