import { describe, expect, test } from 'vitest'
import { openStorage } from './storage.ts'
import { createTheme } from './theme.ts'

const appliedTheme = () => document.documentElement.dataset['theme']
const start = () =>
  createTheme(
    openStorage(() => window.localStorage),
    window,
  )

describe('the theme', () => {
  test('follows the system, or is what the user has chosen, also on the next visit', () => {
    const theme = start()
    expect([theme.choice(), appliedTheme()]).toEqual(['system', 'light'])
    theme.choose('dark')
    expect([appliedTheme(), window.localStorage.getItem('theme'), start().choice()]).toEqual(['dark', 'dark', 'dark'])
    theme.choose('system')
    expect([appliedTheme(), window.localStorage.getItem('theme')]).toEqual(['light', null])
  })

  test('changes in all open tabs', () => {
    const theme = start()
    window.localStorage.setItem('theme', 'dark')
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
    expect(theme.choice()).toBe('dark')
    expect(appliedTheme()).toBe('dark')
  })

  test('ignores an invalid stored value', () => {
    window.localStorage.setItem('theme', 'pink')
    expect(start().choice()).toBe('system')
  })
})
