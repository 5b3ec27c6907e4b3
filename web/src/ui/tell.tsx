/** Messages that come up and go by themselves. They only repeat what the screen shows, or offer a way back. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { refusalOf } from './loaded.tsx';

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
  const { title, detail } = refusalOf(caught);
  const requestId = caught instanceof ApiFailure ? caught.requestId : null;
  notifications.show({
    title,
    message: `${detail ?? ''} ${requestId ? `${common.request} ${requestId}` : ''}`.trim(),
    autoClose: false,
    className: 'failure-toast',
    closeButtonProps: { 'aria-label': common.close },
  });
}
