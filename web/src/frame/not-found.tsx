/** An address that is no screen. */
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { common } from '../texts/common.ts';
import { Empty } from '../ui/parts.tsx';

export function NotFound() {
  return (
    <Empty title={common.failure.gone}>
      <Link className="link" to={paths.home()}>
        Terrane
      </Link>
    </Empty>
  );
}
