/** The outputs of a state, one by one. A value stays the JSON that the client wrote: no digit of a number is lost. */
import { limits } from '../../core/limits.ts';
import { type Kind, type Place, Unwanted, type Wish } from './json-reader.ts';
import { storable } from './texts.ts';

export interface Output {
  name: string;
  sensitive: boolean;
  /** `string`, `number`, `bool`, `array` or `object`. */
  type: string;
  /** The type in the client's own notation, such as `["list", "string"]`. */
  detailedType: unknown;
  /** JSON, without the spaces between its parts. */
  value: string;
}

const wishes: Record<string, number> = {
  value: limits.stateOutput_bytes.value,
  type: limits.stateOutputType_bytes.value,
  sensitive: 16,
};

export function outputReader() {
  const names = new Set<string>();
  let said: Record<string, string> = {};
  let ready: Output[] = [];
  return {
    begin: (place: Place, kind: Kind): Wish => {
      if (place.length === 2) {
        if (kind !== 'object') throw new Unwanted(place, 'must be an object');
        requireNew(place, names);
        said = {};
        return 'enter';
      }
      const member = String(place[2]);
      if (!Object.hasOwn(wishes, member)) return 'skip';
      if (said[member] !== undefined) throw new Unwanted(place, 'is there twice');
      return wishes[member]!;
    },
    taken: (place: Place, json: Buffer): void => {
      said[String(place[2])] = member(place, json);
    },
    end: ([, name]: Place): void => {
      ready.push(outputOf(String(name), said));
    },
    drain: (): Output[] => {
      const drained = ready;
      ready = [];
      return drained;
    },
  };
}

function requireNew(place: Place, names: Set<string>): void {
  const name = storable(String(place[1]));
  const most = limits.stateName_characters.value;
  if (name.length > most) throw new Unwanted(['outputs'], `has a name that is longer than ${most} characters`);
  if (names.has(name)) throw new Unwanted(place, 'is there twice');
  if (names.size === limits.stateOutputs_items.value) {
    throw new Unwanted(['outputs'], `has more than ${limits.stateOutputs_items.value} members`);
  }
  names.add(name);
}

function member(place: Place, json: Buffer): string {
  const text = place[2] === 'value' ? compact(json) : json.toString();
  if (place[2] === 'sensitive' && !['true', 'false', 'null'].includes(text)) {
    throw new Unwanted(place, 'must be true or false');
  }
  return text;
}

function outputOf(name: string, { value = 'null', type = 'null', sensitive }: Record<string, string>): Output {
  const detailedType = cleaned(JSON.parse(type));
  return {
    name: storable(name),
    sensitive: sensitive === 'true',
    type: wordOf(detailedType, value),
    detailedType,
    value,
  };
}

/** The type's own word, or what the first character of the value tells. */
function wordOf(type: unknown, value: string): string {
  const kind = Array.isArray(type) ? type[0] : type;
  const first = value[0]!;
  if (kind === 'list' || kind === 'set' || kind === 'tuple' || first === '[') return 'array';
  if (kind === 'map' || kind === 'object') return 'object';
  if (kind === 'string' || kind === 'number' || kind === 'bool') return kind;
  if (first === '"') return 'string';
  if (first === 't' || first === 'f') return 'bool';
  return first === '{' || first === 'n' ? 'object' : 'number';
}

/** Text in it, as PostgreSQL can hold it. It is nested no deeper than a state may be. */
function cleaned(json: unknown): unknown {
  if (typeof json === 'string') return storable(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(cleaned);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [storable(name), cleaned(value)]));
}

const [quote, backslash, space] = [0x22, 0x5c, 0x20];

/** Valid JSON without the spaces and line ends between its parts. */
function compact(json: Buffer): string {
  const kept = Buffer.allocUnsafe(json.length);
  let length = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte === quote) isInText = !isInText;
    if (!isInText && byte <= space) continue;
    kept[length++] = byte;
    // What a backslash makes ordinary is no end of the text.
    if (byte === backslash) kept[length++] = json[++at]!;
  }
  return kept.toString('utf8', 0, length);
}
