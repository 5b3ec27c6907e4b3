/** The keys, as a list to read, and the switch that turns single ones off (WCAG 2.1.4). */
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { frame as text } from '../texts/frame.ts';
import { keyTable, setSingleKeys, singleKeysAreOn } from './keys.ts';

export function Keys() {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <>
      <Switch
        label={text.keysSwitch}
        description={text.keysDetail}
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
    </>
  );
}
