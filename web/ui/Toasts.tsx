import { createContext, lazy, Suspense, use, useCallback, useState, type ReactNode } from 'react'
import { Boundary } from './Boundary.tsx'

export interface Toast {
  text: string
  tone?: 'ok' | 'bad'
  /** Address of a small picture beside the words. */
  picture?: string
}
/** Where toasts appear; on the stage they keep away from the code. */
export type ToastPlace = 'bottom-right' | 'top-left'

const Show = createContext<(toast: Toast) => void>(() => {})
// Loaded with the first toast: most visits never see one.
const ToastBox = lazy(async () => ({ default: (await import('./ToastBox.tsx')).ToastBox }))

/** Says something in passing, for three seconds; the same words twice are one toast. */
export const useToast = (): ((toast: Toast) => void) => use(Show)

export function ToastsProvider({ place, children }: { place: ToastPlace; children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly Toast[] | null>(null)
  const show = useCallback((toast: Toast) => setWaiting((before) => [...(before ?? []), toast].slice(-3)), [])
  const shown = useCallback(() => setWaiting([]), [])
  return (
    <Show value={show}>
      {children}
      {waiting && (
        // Words in passing that cannot be shown, because their part does not load, take nothing else down.
        <Boundary fallback={null}>
          <Suspense>
            <ToastBox place={place} waiting={waiting} onShown={shown} />
          </Suspense>
        </Boundary>
      )}
    </Show>
  )
}
