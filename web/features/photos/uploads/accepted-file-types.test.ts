import { expect, test } from 'vitest'
import { fileTypeOf } from './accepted-file-types.ts'

test.each([
  ['IMG_4374.heic', '', 'HEIC'],
  ['a.b.jpeg', 'image/png', 'JPEG'],
  ['photo', 'image/png', 'PNG'],
  ['photo.toolong', 'image/webp', 'WEBP'],
  ['photo', '', ''],
])('the file %s of type "%s" is shown as "%s"', (name, type, shown) => {
  expect(fileTypeOf({ name, type })).toBe(shown)
})
