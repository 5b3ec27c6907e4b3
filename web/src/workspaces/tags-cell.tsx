/** The tags of a row: as many as there is room for, and the others once somebody asks. */
import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { included } from '../api/documents.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Tag } from '../ui/parts.tsx';
import { type ListAddress, readAddress } from './address.ts';
import type { Workspace, WorkspaceList } from './workspaces.ts';

export interface EffectiveTag {
  key: string;
  value: string;
}

/** Bindings in effect, and then the flat names, which are tags without a value. */
export function tagsOf(workspace: Workspace, list: { included?: readonly object[] }): EffectiveTag[] {
  const links = workspace.relationships['effective-tag-bindings'].data ?? [];
  const bindings = links.flatMap(link => {
    const record = included(list, { data: link }, 'effective-tag-bindings');
    return record ? [record.attributes as EffectiveTag] : [];
  });
  return [...bindings, ...workspace.attributes['tag-names'].map(key => ({ key, value: '' }))];
}

interface Props {
  workspace: Workspace;
  list: WorkspaceList;
  /** As many as there is room for. */
  shown: number;
}

export function Tags({ workspace, list, shown }: Props) {
  const tags = tagsOf(workspace, list);
  return (
    <span className="tags">
      {tags.slice(0, shown).map(({ key, value }) => (
        <Tag key={`${key}:${value}`} tagKey={key} value={value} />
      ))}
      {tags.length > shown && <Rest name={workspace.attributes.name} tags={tags.slice(shown)} all={tags} />}
    </span>
  );
}

interface RestProps {
  name: string;
  /** Those for which there was no room. */
  tags: readonly EffectiveTag[];
  all: readonly EffectiveTag[];
}

const wordOf = ({ key, value }: EffectiveTag) => (value ? `${key}: ${value}` : key);

/** Made when it is first opened, as the menu of the row is: most are never asked for. */
function Rest({ name, tags, all }: RestProps) {
  const [isMade, setMade] = useState(false);
  const isAll = tags.length === all.length;
  const about = {
    type: 'button' as const,
    className: 'more-tags',
    title: tags.map(wordOf).join('\n'),
    'aria-label': (isAll ? text.tagsOf : text.moreTags)(name, tags.length),
    children: (isAll ? text.allTags : text.more)(tags.length),
  };
  if (!isMade) return <button {...about} aria-haspopup="menu" onClick={() => setMade(true)} />;
  return (
    <Menu defaultOpened position="bottom-start">
      <Menu.Target>
        {/* biome-ignore lint/a11y/noAutofocus: it stands in for the button that was pressed, and had the focus. */}
        <button {...about} autoFocus />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.filterByTag}</Menu.Label>
        {all.map(tag => (
          <TagItem key={wordOf(tag)} tag={tag} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Adds itself to the filters of the list. */
function TagItem({ tag }: { tag: EffectiveTag }) {
  const navigate = useNavigate();
  const word = tag.value ? `${tag.key}:${tag.value}` : tag.key;
  const search = (before: object): ListAddress => {
    const { page: _, tag: others = [], ...address } = readAddress(before as Record<string, unknown>);
    return { ...address, tag: [...others, word] };
  };
  return <Menu.Item onClick={() => void navigate({ to: '.', search: search as never })}>{wordOf(tag)}</Menu.Item>;
}
