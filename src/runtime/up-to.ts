/** The pieces of a stream of at most `most` bytes. With more, it throws what `refusal` makes, which also closes the stream. */
export async function* upTo<Piece extends Uint8Array>(
  most: number,
  pieces: AsyncIterable<Piece>,
  refusal: () => Error,
): AsyncGenerator<Piece> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > most) throw refusal()
    yield piece
  }
}
