import { type ComponentProps, createContext, use, useEffect, useLayoutEffect, useRef } from 'react'
import { useText } from '../lib/i18n.tsx'
import { frame } from '../messages/en/frame.ts'

/** Sets the title of the document. */
export function usePageTitle(title: string): void {
  const { documentTitle } = useText({ frame })
  useEffect(() => {
    document.title = documentTitle(title)
  }, [title, documentTitle])
}

/** Moves the focus to the heading of a page after a navigation to that page. */
export function createHeadingFocus() {
  let isRequested = false
  return {
    request() {
      isRequested = true
    },
    /** True once after `request`. */
    consume(): boolean {
      const wasRequested = isRequested
      isRequested = false
      return wasRequested
    },
  }
}

export type HeadingFocus = ReturnType<typeof createHeadingFocus>

/** Focusing a hidden heading is retried for so many frames: about five seconds. */
const maxFocusAttempts = 300

/** features/site/Frame.tsx provides the value. */
export const HeadingFocusContext = createContext(createHeadingFocus())

/**
 * The h1 of a page. After a navigation it receives the focus, so that screen readers and keyboard continue from here. On
 * the first page of a visit the focus stays where the browser puts it.
 */
export function PageHeading({ children, ...rest }: ComponentProps<'h1'>) {
  const headingFocus = use(HeadingFocusContext)
  const heading = useRef<HTMLHeadingElement>(null)
  // When another page replaces this one without a navigation, such as after loading, its heading receives the focus.
  useLayoutEffect(() => {
    const headingElement = heading.current
    return () => {
      if (headingElement && headingElement === document.activeElement) headingFocus.request()
    }
  }, [headingFocus])
  useEffect(() => {
    if (!headingFocus.consume()) return
    const focusedBefore = document.activeElement
    let framesLeft = maxFocusAttempts
    let isWaiting = false
    // What is hidden, such as a page whose notices are still loading, cannot receive the focus.
    const focusWhenShown = (): void => {
      const { activeElement, body } = document
      isWaiting = false
      // The page was left, or the user has moved the focus.
      if (!heading.current || (activeElement !== focusedBefore && activeElement !== body)) return
      heading.current.focus({ preventScroll: true })
      isWaiting = document.activeElement !== heading.current && framesLeft-- > 0
      if (isWaiting) requestAnimationFrame(focusWhenShown)
    }
    focusWhenShown()
    return () => {
      if (isWaiting) headingFocus.request()
    }
  }, [headingFocus])
  return (
    <h1 {...rest} ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
