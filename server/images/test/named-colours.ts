/** Numbers of ITU-T H.273. */
export interface ColourNumbers {
  primaries: number
  transfer: number
  matrix?: number
  /** The brightest pixel, in cd/m². */
  contentLight?: number
}

/** A HEIC or AVIF file of one item, with properties of it that name its colours. */
export function withColourNumbers(
  file: Buffer,
  { primaries, transfer, matrix = 6, contentLight }: ColourNumbers,
): Buffer {
  const colours = Buffer.from([0, 0, 0, 19, ...Buffer.from('colrnclx'), 0, primaries, 0, transfer, 0, matrix, 0x80])
  const light = Buffer.from([0, 0, 0, 12, ...Buffer.from('clli'), 0, 0, 0, 0])
  light.writeUInt16BE(contentLight ?? 0, 8)
  const added = contentLight === undefined ? [colours] : [colours, light]
  const addedBytes = added.reduce((sum, { length }) => sum + length, 0)
  const changed = Buffer.from(file)
  const boxAt = (type: string): number => changed.indexOf(type, 0, 'latin1') - 4
  const grow = (at: number, by: number): unknown => changed.writeUInt32BE(changed.readUInt32BE(at) + by, at)
  const [ipco, ipma] = [boxAt('ipco'), boxAt('ipma')]
  const ipcoEnd = ipco + changed.readUInt32BE(ipco)
  let properties = 0
  for (let at = ipco + 8; at < ipcoEnd; at += changed.readUInt32BE(at)) properties++
  grow(boxAt('meta'), addedBytes + added.length)
  grow(boxAt('iprp'), addedBytes + added.length)
  grow(ipco, addedBytes)
  grow(ipma, added.length)
  // The offset of the item's only extent.
  grow(boxAt('iloc') + 26, addedBytes + added.length)
  const associations = ipma + 18
  const associated = changed.readUInt8(associations)
  changed.writeUInt8(associated + added.length, associations)
  const lastAssociation = associations + 1 + associated
  return Buffer.concat([
    changed.subarray(0, ipcoEnd),
    ...added,
    changed.subarray(ipcoEnd, lastAssociation),
    Buffer.from(added.map((_, nth) => properties + 1 + nth)),
    changed.subarray(lastAssociation),
  ])
}
