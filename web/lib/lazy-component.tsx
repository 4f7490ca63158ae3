import { lazy, Suspense, useLayoutEffect, type ReactNode, type SuspenseProps } from 'react'

/** What `React.lazy` loads. */
type Loadable = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default']

let pending = 0

/** Number of lazy components that are being loaded, and of fallbacks that are shown in their places. */
export const pendingComponentCount = (): number => pending

/**
 * `React.lazy` that counts pending loads: the server-rendered page stays on the screen until the app shows the same. The
 * component stands in `LazyPart`.
 */
export const lazyComponent = <Name extends string, Module extends Record<Name, Loadable>>(
  name: Name,
  load: () => Promise<Module>,
) =>
  lazy(async () => {
    pending += 1
    try {
      return { default: (await load())[name] }
    } finally {
      pending -= 1
    }
  })

/** `Suspense` that counts its fallback while that is shown: React shows a loaded component up to 300 ms later. */
export function LazyPart({ fallback, children }: Pick<SuspenseProps, 'fallback' | 'children'>) {
  return <Suspense fallback={<CountedFallback>{fallback}</CountedFallback>}>{children}</Suspense>
}

function CountedFallback({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    pending += 1
    return () => {
      pending -= 1
    }
  }, [])
  return children
}
