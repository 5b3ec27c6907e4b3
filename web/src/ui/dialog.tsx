/** A dialog with a foot. Ctrl or ⌘ and Enter submit; Escape closes; the focus returns to where it came from. */
import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { useFault } from './fault.tsx';

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The verb and its object, as it stood on the button that opened this. */
  submit: string;
  onSubmit: () => unknown;
  danger?: boolean;
  /** Left of the buttons. */
  aside?: ReactNode;
  submitDisabled?: boolean;
}

export function Dialog(props: Props) {
  const isNarrow = useMediaQuery('(max-width: 47.5rem)');
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      fullScreen={isNarrow ?? false}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>{props.title}</Modal.Title>
          <Modal.CloseButton aria-label={common.close} />
        </Modal.Header>
        <Modal.Body>{props.opened && <Content {...props} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Content({ onClose, children, submit, onSubmit, danger, aside, submitDisabled }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [fault, attempt, isBusy] = useFault();
  // Mantine calls every dialog a dialog: what ends something is an alert.
  useLayoutEffect(() => {
    form.current?.closest('[role=dialog], [role=alertdialog]')?.setAttribute('role', danger ? 'alertdialog' : 'dialog');
  }, [danger]);
  // React hands events of a dialog on to the form that opened it, which has nothing to do with them.
  const send = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!submitDisabled) void attempt(onSubmit);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.stopPropagation();
    form.current?.requestSubmit();
  };
  return (
    <form ref={form} onSubmit={send} onKeyDown={onKey}>
      <div className="dialog-body">
        {children}
        {fault}
      </div>
      <div className="dialog-foot">
        {aside}
        <div className="buttons">
          <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
            {common.cancel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'filled'} loading={isBusy} disabled={submitDisabled}>
            {submit}
          </Button>
        </div>
      </div>
    </form>
  );
}
