const minBytes = 16 * 1024

/**
 * Frees the memory of a chunk that nobody reads any more. Left to the garbage collector, the chunks of an upload cost more
 * time than the rest of receiving it. Small chunks and slices are left alone: they may share their memory with others.
 */
export function releaseBuffer(chunk: Buffer): void {
  const { buffer } = chunk
  if (chunk.length < minBytes || chunk.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}
