import { useEffect } from 'react'
import { useText } from './i18n.tsx'
import { frame } from '../messages/en/frame.ts'

/** Names the page in the browser's tab and history. */
export function usePageTitle(title: string): void {
  const { documentTitle } = useText({ frame })
  useEffect(() => {
    document.title = documentTitle(title)
  }, [title, documentTitle])
}
