/** What a reference of an OpenAPI document stands for. */
interface Described {
  components: Record<string, Record<string, object>>;
}

export function resolved<Value extends object>(document: object, value: Value): Value {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  const [, , part, name] = reference.split('/');
  const found = (document as Described).components[part!]?.[name!];
  if (!found) throw new Error(`${reference} leads nowhere.`);
  return found as Value;
}
