/** What somebody wrote of a record: its beginning, where there is room for it. */
import type { Column } from './rows.tsx';

interface Described {
  attributes: { description?: string | null };
}

export const descriptionColumn = (title: string): Column<Described> => ({
  title,
  isExtra: true,
  cell: ({ attributes }) => <span className="muted excerpt">{attributes.description}</span>,
});
