/** What a delivery does not say, asked of its host. */
import type { Question } from '../../connections/forges/forge.ts';
import type { Config } from '../../core/config.ts';
import { fetchOutside } from '../../core/outbound.ts';

/** Null where nobody can be asked, the host does not answer as documented, or it does not know either. */
export async function askForge<Answer>(config: Config, question: Question<Answer> | null): Promise<Answer | null> {
  if (!question) return null;
  const { url, ...request } = question.request;
  try {
    const answer = await fetchOutside(config, url, request);
    return answer.ok ? question.read(await answer.json()) : null;
  } catch {
    return null;
  }
}
