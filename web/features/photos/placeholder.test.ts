import { expect, test } from 'vitest'
import { placeholderOf } from './placeholder.ts'

test('a ThumbHash becomes an image', () => {
  expect(placeholderOf('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(/^data:image\/png;base64,/)
})

test.each([null, '', 'no base64!'])('without a valid ThumbHash (%s) there is no image', (thumbhash) => {
  expect(placeholderOf(thumbhash)).toBeNull()
})
