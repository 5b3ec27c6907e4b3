/** A secret, shown once. Neither Escape nor a click beside it closes it by mistake. */
import { Button, Modal } from '@mantine/core';
import { common } from '../texts/common.ts';
import { tokens as text } from '../texts/people.ts';
import { useCopy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';

interface Props {
  secret: string;
  /** What it is, where it is no token. */
  title?: string;
  detail?: string;
  stored?: string;
  onStored: () => void;
  children?: React.ReactNode;
}

export function SecretOnce({
  secret,
  title = text.secretTitle,
  detail = text.secret,
  stored = text.stored,
  onStored,
  children,
}: Props) {
  const [copied, copy] = useCopy();
  return (
    <Modal
      opened
      onClose={() => {}}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className="dialog-body">
        <p>{detail}</p>
        <p className="code secret">{secret}</p>
        {children}
      </div>
      <div className="dialog-foot">
        <Button variant="default" leftSection={<Icon name="copy" />} onClick={() => copy(secret)} data-autofocus>
          {copied ? common.copied : common.copy}
        </Button>
        <div className="buttons">
          <Button variant="filled" onClick={onStored}>
            {stored}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
