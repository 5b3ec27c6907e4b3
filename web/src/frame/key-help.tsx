/** The keys, as a list to read, and the switch that turns single ones off (WCAG 2.1.4). */
import { Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { frame as text } from '../texts/frame.ts';
import { keyTable, setSingleKeys, singleKeysAreOn } from './keys.ts';

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Modal opened onClose={onClose} title={text.keysTitle} size="md" closeButtonProps={{ 'aria-label': common.close }}>
      <div className="dialog-body">
        <p className="muted">{text.keysDetail}</p>
        <Switch
          label={text.keysSwitch}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            setSingleKeys(checked);
            setOn(checked);
          }}
        />
        <dl className="key-list">
          {Object.entries(keyTable).map(([name, [key, meaning]]) => (
            <div key={name} className="line">
              <dt>
                {key.split(' ').map(part => (
                  <kbd key={part}>{part === 'mod' ? 'Ctrl' : part}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  );
}
