/** Variables in rows. What is overridden is struck through, and by whom is said. */
import { ActionIcon } from '@mantine/core';
import { variables as text } from '../texts/variables.ts';
import { Icon } from '../ui/icon.tsx';
import type { Variable } from './variables.ts';

interface Props {
  caption: string;
  variables: Variable[];
  /** What wins over these. */
  overriding?: Variable[];
  onEdit?: (variable: Variable) => void;
  onDelete?: (variable: Variable) => void;
}

const name = ({ attributes }: Variable) => `${attributes.category} ${attributes.key}`;

export function VariableTable({ caption, variables, overriding = [], onEdit, onDelete }: Props) {
  const winners = new Set(overriding.map(name));
  return (
    <table className="table">
      <caption className="hidden-text">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text.key}</th>
          <th scope="col">{text.value}</th>
          <th scope="col" className="only-wide eighth">
            {text.category}
          </th>
          {onEdit && (
            <th scope="col" className="acts-cell">
              <span className="hidden-text">{text.acts}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {variables.map(variable => {
          const { key, category, description } = variable.attributes;
          const isOverridden = winners.has(name(variable));
          return (
            <tr key={variable.id}>
              <td className="cut" title={description || key}>
                <span className="mono strong">{isOverridden ? <s>{key}</s> : key}</span>
                <div className="faint small only-narrow">{text.categories[category]}</div>
                {description && <div className="faint small cut">{description}</div>}
              </td>
              <ValueCell variable={variable} isOverridden={isOverridden} />
              <td className="muted only-wide">{text.categories[category]}</td>
              {onEdit && onDelete && (
                <td className="acts-cell">
                  <span className="line">
                    <ActionIcon variant="subtle" aria-label={text.edit(key)} onClick={() => onEdit(variable)}>
                      <Icon name="pencil" />
                    </ActionIcon>
                    <ActionIcon variant="subtle" aria-label={text.delete(key)} onClick={() => onDelete(variable)}>
                      <Icon name="trash" />
                    </ActionIcon>
                  </span>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function ValueCell({ variable: { attributes }, isOverridden }: { variable: Variable; isOverridden: boolean }) {
  const { value, sensitive, hcl } = attributes;
  const shown = sensitive ? <span className="faint">{text.hidden}</span> : <span className="mono">{value}</span>;
  return (
    <td className="cut" title={sensitive ? '' : (value ?? '')}>
      {isOverridden ? <s>{shown}</s> : shown}
      {hcl && <span className="badge">{text.hcl}</span>}
      {isOverridden && <span className="faint small"> {text.overridden('this workspace')}</span>}
    </td>
  );
}
