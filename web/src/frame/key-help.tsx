/** The keys, over the screen that somebody is at. */
import { Modal } from '@mantine/core';
import { common } from '../texts/common.ts';
import { frame as text } from '../texts/frame.ts';
import { Keys } from './key-list.tsx';

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={text.keysTitle} size="md" closeButtonProps={{ 'aria-label': common.close }}>
      <div className="dialog-body">
        <Keys />
      </div>
    </Modal>
  );
}
