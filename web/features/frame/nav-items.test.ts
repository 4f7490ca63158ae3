import { expect, test } from 'vitest'
import { paths } from '../../lib/paths.ts'
import { navItems } from './nav-items.ts'

test('a menu has its items in order, without pages that do not exist', () => {
  const available = [paths.settings, paths.latest, paths.upload]
  expect(navItems('signedIn', available).map(({ name }) => name)).toEqual(['latest', 'upload', 'settings'])
  expect(
    navItems('footer', Object.values(paths))
      .map(({ name }) => name)
      .slice(0, 2),
  ).toEqual(['about', 'support'])
})
