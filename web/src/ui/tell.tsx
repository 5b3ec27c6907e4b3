/** Messages that come up and go by themselves. They only repeat what the screen shows, or offer a way back. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';

interface Way {
  label: string;
  onClick: () => void;
}

export function tell(title: string, way?: Way): void {
  const id = notifications.show({
    title,
    closeButtonProps: { 'aria-label': common.close },
    message: way && (
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          notifications.hide(id);
          way.onClick();
        }}
      >
        {way.label}
      </Button>
    ),
  });
}

/** For an act that has no dialog: its refusal, in the API's words, with the request to name. */
export function tellFailure(caught: unknown): void {
  const failure = caught instanceof ApiFailure ? caught : null;
  const [fault] = failure?.errors ?? [];
  const isUnknown = failure !== null && failure.status >= 500 && failure.status !== 503;
  notifications.show({
    title: isUnknown ? common.failure.unknown : (fault?.title ?? common.failure.offline),
    message: `${fault?.detail ?? ''} ${failure?.requestId ? `${common.request} ${failure.requestId}` : ''}`.trim(),
    autoClose: false,
    className: 'failure-toast',
    closeButtonProps: { 'aria-label': common.close },
  });
}
