/** A body that is taken in piece by piece, as it comes. The edge makes one of a request. */
export interface Incoming {
  /** To be read once. Throws `body-too-large` past its limit, and `malformed-request` when it breaks off. */
  pieces: AsyncIterable<Buffer>;
  /** What the request says of its length; 0 when it says nothing. */
  declaredBytes: number;
}
