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
  test('follows the system until the user chooses one', () => {
    expect(start().choice()).toBe('system')
    expect(appliedTheme()).toBe('light')
  })

  test('is the chosen one, also on the next visit', () => {
    start().choose('dark')
    expect(appliedTheme()).toBe('dark')
    expect(window.localStorage.getItem('theme')).toBe('dark')
    expect(start().choice()).toBe('dark')
  })

  test('removes the stored choice when it follows the system again', () => {
    const theme = start()
    theme.choose('dark')
    theme.choose('system')
    expect(appliedTheme()).toBe('light')
    expect(window.localStorage.getItem('theme')).toBeNull()
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
