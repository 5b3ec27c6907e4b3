/** What a state holds goes to the database while the rest of it is on its way, in batches. It hangs from the content's blob. */
import type { Config } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import { seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import type { Instance, Output } from './contents.ts';
import { sealContext } from './outputs.ts';

export interface Staging {
  /** Resolves when there is room for more. */
  add: (found: { outputs: Output[]; instances: Instance[] }) => Promise<void>;
  flush: () => Promise<void>;
}

/** A batch is written when it has so many records, or so many characters. */
const batch = { records: 2000, characters: 1024 * 1024 };

export function stagingOf(sql: Sql, config: Config, blobId: string): Staging {
  /** By address: what a state names twice is one resource, as it was named last. */
  let instances = new Map<string, Instance>();
  let outputs: Output[] = [];
  let characters = 0;
  const flush = async () => {
    if (instances.size > 0) await writeInstances(sql, blobId, [...instances.values()]);
    if (outputs.length > 0) await writeOutputs(sql, config, blobId, outputs);
    [instances, outputs, characters] = [new Map(), [], 0];
  };
  return {
    add: async found => {
      for (const instance of found.instances) {
        instances.set(instance.address_digest, instance);
        characters += instance.address.length + instance.module.length + instance.provider.length;
        if (isFull(instances.size, characters)) await flush();
      }
      for (const output of found.outputs) {
        outputs.push(output);
        characters += output.value.length;
        if (isFull(outputs.length, characters)) await flush();
      }
    },
    flush,
  };
}

const isFull = (records: number, characters: number) => records >= batch.records || characters >= batch.characters;

async function writeInstances(sql: Sql, blobId: string, instances: readonly Instance[]): Promise<void> {
  await sql`
    insert into state_instances (blob_id, id, address, address_digest, name, name_index, module, provider, provider_type,
      fingerprint)
    select ${blobId}, instance.id, instance.address, instance.address_digest, instance.name, instance.name_index,
      instance.module, instance.provider, instance.provider_type, instance.fingerprint
    from json_to_recordset(${JSON.stringify(instances)}::text::json) as instance (id text, address text,
      address_digest text, name text, name_index text, module text, provider text, provider_type text, fingerprint text)
    on conflict (blob_id, address_digest) do update
    set provider = excluded.provider, fingerprint = excluded.fingerprint`;
}

/** Every value is sealed, sensitive or not: which ones are may change from version to version. */
async function writeOutputs(sql: Sql, config: Config, blobId: string, outputs: readonly Output[]): Promise<void> {
  const rows = outputs.map(({ name, sensitive, type, detailedType, value }) => {
    const id = newId('wsout');
    return {
      id,
      blob_id: blobId,
      name,
      sensitive,
      type,
      detailed_type: sql.json(detailedType),
      sealed_value: seal(config, value, sealContext(id)),
    };
  });
  await sql`insert into state_version_outputs ${sql(rows)}`;
}
