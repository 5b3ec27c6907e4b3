/** The palette: everything by its name, from anywhere, and what can be done in a workspace without going there first. */
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { frame } from '../texts/frame.ts';
import { palette as text } from '../texts/palette.ts';
import { Icon } from '../ui/icon.tsx';
import type { Workspace } from '../workspaces/workspaces.ts';
import { type Choice, useChoices } from './choices.tsx';
import { actsIn } from './workspace-choices.ts';

interface Props {
  organization: string | undefined;
  onClose: () => void;
}

export default function Palette({ organization, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [isWanted, setWanted] = useState(false);
  /** Whose acts are shown, once Tab was pressed on it. */
  const [workspace, setWorkspace] = useState<Workspace | null>(null);
  const navigate = useNavigate();
  const listId = useId();
  const found = useChoices(organization, workspace ? '' : typed.trim());
  const choices = workspace && organization ? actsIn(organization, workspace, typed) : found.choices;
  const areSettled = workspace !== null || found.areSettled;
  const chosen = Math.min(at, choices.length - 1);
  const open = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    void navigate({ to: choice.to, ...(choice.arrival && { state: { arrival: choice.arrival } }) });
  };
  const type = (next: string) => {
    setTyped(next);
    setAt(0);
    setWanted(false);
  };
  const enter = (into: Workspace | null) => {
    setWorkspace(into);
    type('');
  };
  // Whoever types and presses Enter at once means what they typed, not what was found for the first letters of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first of the choices is opened when they are there.
  useEffect(() => {
    if (isWanted && areSettled) open(choices[0]);
  }, [isWanted, areSettled]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const into = choices[chosen]?.workspace;
    if (step) setAt((chosen + step + choices.length) % Math.max(choices.length, 1));
    else if (event.key === 'Enter' && areSettled) open(choices[chosen]);
    else if (event.key === 'Enter') setWanted(true);
    else if (event.key === 'Tab' && into && !event.shiftKey) enter(into);
    else if (workspace && typed === '' && (event.key === 'Backspace' || (event.key === 'Tab' && event.shiftKey)))
      enter(null);
    else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={onClose} withCloseButton={false} size="xl" aria-label={frame.jump} title="">
      <div className="palette">
        <div className="palette-field">
          <Icon name="search" />
          {workspace && <span className="chip">{workspace.attributes.name}</span>}
          <input
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={choices[chosen] && `${listId}-${chosen}`}
            aria-label={workspace ? text.actIn(workspace.attributes.name) : frame.jump}
            aria-busy={isWanted}
            placeholder={workspace ? text.act : frame.jump}
            value={typed}
            onChange={event => type(event.currentTarget.value)}
            onKeyDown={onKey}
          />
          {organization && !workspace && <span className="muted small only-wide">{text.inside(organization)}</span>}
          <kbd>Esc</kbd>
        </div>
        <div role="listbox" id={listId} className="palette-list" aria-label={text.results}>
          {choices.length === 0 && areSettled && <p className="muted palette-empty">{text.nothing(typed)}</p>}
          {choices.map((choice, index) => (
            <div key={choice.id} role="presentation">
              {choice.group !== choices[index - 1]?.group && (
                <div className="palette-group" role="presentation">
                  {choice.group}
                </div>
              )}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                className="palette-choice"
                onMouseMove={() => setAt(index)}
                onClick={() => open(choice)}
                onKeyDown={onKey}
              >
                <Icon name={choice.icon} />
                <Marked text={choice.label} part={typed.trim()} />
                {choice.hint && <span className="muted">{choice.hint}</span>}
                <span className="palette-end">{choice.end}</span>
                {index === chosen && choice.workspace && <kbd className="only-wide">Tab</kbd>}
                {index === chosen && <kbd>Enter</kbd>}
              </div>
            </div>
          ))}
        </div>
        <Foot isInside={workspace !== null} />
      </div>
    </Modal>
  );
}

function Foot({ isInside }: { isInside: boolean }) {
  return (
    <div className="palette-foot small muted">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {text.move}
      </span>
      <span>
        <kbd>Enter</kbd> {text.open}
      </span>
      <span>
        <kbd>{isInside ? '⌫' : 'Tab'}</kbd> {isInside ? text.back : text.acts}
      </span>
      <span>
        <kbd>&gt;</kbd> {text.commands} <kbd>@</kbd> {text.people} <kbd>#</kbd> {text.tags}
      </span>
    </div>
  );
}

/** Where the typed part stands in a name is set off by its ground; the words stay whole for readers. */
function Marked({ text: whole, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : whole.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return <span className="strong">{whole}</span>;
  return (
    <span className="strong">
      {whole.slice(0, at)}
      <mark>{whole.slice(at, at + part.length)}</mark>
      {whole.slice(at + part.length)}
    </span>
  );
}
