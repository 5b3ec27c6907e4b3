/** Codes for the day on which the app is lost, shown once. Neither Escape nor a click beside them closes them by mistake. */
import { Button, Modal } from '@mantine/core';
import { secondFactor as text } from '../texts/account.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { saveFile } from '../ui/save-file.ts';

export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const lines = codes.join('\n');
  return (
    <Modal
      opened
      onClose={() => {}}
      title={text.codesTitle}
      size="md"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className="dialog-body">
        <p>{text.codes}</p>
        <CodeBlock text={lines} label={text.codesTitle} />
      </div>
      <div className="dialog-foot">
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(`${lines}\n`, text.file(window.location.hostname))}
        >
          {text.download}
        </Button>
        <div className="buttons">
          <Button variant="filled" onClick={onStored}>
            {text.stored}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
