import { createListeners } from './listeners.ts'
import type { KeyValueStorage } from './storage.ts'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** The theme of this browser. The inline script in index.html applies it before the first paint. */
export interface Theme {
  choice(): ThemeChoice
  choose(choice: ThemeChoice): void
  subscribe(listener: () => void): () => void
}

const storageKey = 'theme'

/** Stores the choice, and sets the attribute `data-theme` of the root element. */
export function createTheme(storage: KeyValueStorage, page: Window): Theme {
  const prefersDark = page.matchMedia('(prefers-color-scheme: dark)')
  const listeners = createListeners<void>()
  const readStoredChoice = (): ThemeChoice =>
    themeChoices.find((choice) => choice === storage.get(storageKey)) ?? 'system'
  let choice = readStoredChoice()
  const applyTheme = (): void => {
    const { documentElement: root, head } = page.document
    root.dataset['theme'] = choice === 'system' ? (prefersDark.matches ? 'dark' : 'light') : choice
    const paperColour = page.getComputedStyle(root).getPropertyValue('--paper').trim()
    if (paperColour) head.querySelector('meta[name="theme-color"]')?.setAttribute('content', paperColour)
  }
  prefersDark.addEventListener('change', applyTheme)
  page.addEventListener('storage', ({ key }) => {
    if (key !== storageKey && key !== null) return
    choice = readStoredChoice()
    applyTheme()
    listeners.notify()
  })
  applyTheme()
  return {
    choice: () => choice,
    choose(next) {
      choice = next
      storage.set(storageKey, next === 'system' ? null : next)
      applyTheme()
      listeners.notify()
    },
    subscribe: listeners.add,
  }
}
