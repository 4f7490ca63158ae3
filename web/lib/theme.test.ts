import { describe, expect, test } from 'vitest'
import { openStorage } from './storage.ts'
import { createTheme } from './theme.ts'

const shown = () => document.documentElement.dataset['theme']
const start = () =>
  createTheme(
    openStorage(() => window.localStorage),
    window,
  )

describe('the theme', () => {
  test('follows the system until a person chooses', () => {
    expect(start().choice()).toBe('system')
    expect(shown()).toBe('light')
  })

  test('is what was chosen, also on the next visit', () => {
    start().choose('dark')
    expect(shown()).toBe('dark')
    expect(window.localStorage.getItem('theme')).toBe('dark')
    expect(start().choice()).toBe('dark')
  })

  test('leaves nothing behind when it follows the system again', () => {
    const theme = start()
    theme.choose('dark')
    theme.choose('system')
    expect(shown()).toBe('light')
    expect(window.localStorage.getItem('theme')).toBeNull()
  })

  test('changes in every open tab', () => {
    const theme = start()
    window.localStorage.setItem('theme', 'dark')
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
    expect(theme.choice()).toBe('dark')
    expect(shown()).toBe('dark')
  })

  test('is not broken by nonsense in storage', () => {
    window.localStorage.setItem('theme', 'pink')
    expect(start().choice()).toBe('system')
  })
})
