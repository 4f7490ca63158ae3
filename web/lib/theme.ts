import type { KeyValue } from './storage.ts'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** The theme of this browser. The script in index.html sets the first one, before anything is painted. */
export interface Theme {
  choice(): ThemeChoice
  choose(choice: ThemeChoice): void
  subscribe(listener: () => void): () => void
}

const entry = 'theme'

/** Keeps the choice under `theme` and writes the outcome to `data-theme` of the page's root element. */
export function createTheme(storage: KeyValue, page: Window): Theme {
  const dark = page.matchMedia('(prefers-color-scheme: dark)')
  const listeners = new Set<() => void>()
  const stored = (): ThemeChoice => themeChoices.find((choice) => choice === storage.get(entry)) ?? 'system'
  let choice = stored()
  const show = (): void => {
    const { documentElement: root, head } = page.document
    root.dataset['theme'] = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
    const paper = page.getComputedStyle(root).getPropertyValue('--paper').trim()
    if (paper) head.querySelector('meta[name="theme-color"]')?.setAttribute('content', paper)
  }
  dark.addEventListener('change', show)
  page.addEventListener('storage', ({ key }) => {
    if (key !== entry && key !== null) return
    choice = stored()
    show()
    for (const listener of listeners) listener()
  })
  show()
  return {
    choice: () => choice,
    choose(next) {
      choice = next
      storage.set(entry, next === 'system' ? null : next)
      show()
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
