/** Every answer of every test against what the OpenAPI description says: the status is declared, the document fits. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Config } from '../../src/core/config.ts';
import { openApiDocument } from '../../src/core/jsonapi/openapi.ts';
import { endpoints, resources } from '../../src/http/endpoints.ts';
import type { Answer } from '../app.ts';
import { resolved } from './references.ts';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Description {
  paths: { pattern: RegExp; operations: Record<string, Operation> }[];
  validator: (schema: object) => ValidateFunction;
}

const descriptions = new Map<string, Description>();

export function validateAnswer(config: Config, method: string, path: string, answer: Answer): Answer {
  const description = describe(config);
  const address = (path.startsWith('/') ? path : `/api/v2/${path}`).split('?', 1)[0]!.replace(/^\/api\/v2/, '');
  const found = description.paths.find(({ pattern, operations }) => pattern.test(address) && operations[method]);
  const operation = found?.operations[method];
  if (!operation) return answer;
  const declared = operation.responses[answer.status];
  const name = `${operation.operationId} (${method} ${path})`;
  if (!declared) throw new Error(`${name} answered ${answer.status}, which it does not declare: ${answer.text}`);
  const schema = Object.values(declared.content ?? {})[0]?.schema;
  if (!schema) {
    if (answer.text !== '') throw new Error(`${name} answered ${answer.status} with a body: ${answer.text}`);
    return answer;
  }
  // Content is as it was sent.
  if ((schema as { format?: string }).format === 'binary') return answer;
  const validate = description.validator(schema);
  if (validate(answer.document)) return answer;
  const faults = JSON.stringify(validate.errors?.slice(0, 5), null, 2);
  throw new Error(`${name} answered ${answer.status} against its schema: ${faults}\n${answer.text.slice(0, 2000)}`);
}

function whole(document: object, { responses = {}, ...operation }: Operation): Operation {
  const answers = Object.entries(responses).map(([status, answer]) => [status, resolved(document, answer)]);
  return { ...operation, responses: Object.fromEntries(answers) };
}

function describe(config: Config): Description {
  const key = `${config.edition} ${config.release} ${config.profile}`;
  const known = descriptions.get(key);
  if (known) return known;
  const { edition, release, profile } = config;
  const deployment = { edition, release, profile, publicUrl: '', sign: () => '', unseal: () => '' };
  const document = openApiDocument(endpoints, resources, deployment) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'terrane', ...document });
  // Kept by what they say: most endpoints refuse alike. And by the schema, which is one object for all answers of a kind.
  const [byText, bySchema] = [new Map<string, ValidateFunction>(), new Map<object, ValidateFunction>()];
  const description: Description = {
    paths: Object.entries(document.paths).map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operations: Object.fromEntries(
        Object.entries(operations).map(([name, value]) => [name.toUpperCase(), whole(document, value)]),
      ),
    })),
    validator: schema => {
      const known = bySchema.get(schema);
      if (known) return known;
      const text = JSON.stringify(schema).replaceAll('"#/components', '"terrane#/components');
      const validator = byText.get(text) ?? ajv.compile(JSON.parse(text));
      byText.set(text, validator);
      bySchema.set(schema, validator);
      return validator;
    },
  };
  descriptions.set(key, description);
  return description;
}
