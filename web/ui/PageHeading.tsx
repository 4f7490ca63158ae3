import { createContext, use, useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'

/** Whether the next heading to appear belongs to a page that was just navigated to. */
export interface Arrival {
  expect(): void
  /** True once after `expect`. */
  take(): boolean
}

export function createArrival(): Arrival {
  let expected = false
  return {
    expect() {
      expected = true
    },
    take() {
      const was = expected
      expected = false
      return was
    },
  }
}

/** Filled in by the frame. */
export const ArrivalContext = createContext<Arrival>(createArrival())

/**
 * The h1 of a page. After a navigation it takes the focus, so that a screen reader reads on from here and the keyboard
 * starts from here; on the first page of a visit the browser's own start is left alone.
 */
export function PageHeading({ children, ...rest }: ComponentProps<'h1'>) {
  const arrival = use(ArrivalContext)
  const heading = useRef<HTMLHeadingElement>(null)
  // A page that becomes another one in its place, such as when its data comes, hands the focus on.
  useLayoutEffect(() => {
    const mine = heading.current
    return () => {
      if (mine && mine === document.activeElement) arrival.expect()
    }
  }, [arrival])
  useEffect(() => {
    if (arrival.take()) heading.current?.focus({ preventScroll: true })
  }, [arrival])
  return (
    <h1 {...rest} ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
