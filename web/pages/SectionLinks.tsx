import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useSectionInView } from './useSectionInView.ts'

/** What remains visible of the link before the current one. */
const edgePx = 48

interface Props<Id extends string> {
  label: string
  /** In the order of the page; must not change. */
  ids: readonly Id[]
  names: Record<Id, string>
  /** Of the names, where it is not that of the page. */
  lang?: string | undefined
}

/** Links to the sections of a long page, which stay in view. */
export function SectionLinks<Id extends string>({ label, ids, names, lang }: Props<Id>) {
  const currentSection = useSectionInView(ids)
  const { hash } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On phones the links are one line, which scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href$="#${currentSection}"]`)
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - edgePx
  }, [currentSection])
  return (
    <nav ref={nav} className="section-links" aria-label={label}>
      {ids.map((id) => (
        <Link
          key={id}
          to={`#${id}`}
          replace={hash !== ''}
          lang={lang}
          aria-current={id === currentSection || undefined}
          // As browsers do for such links: the next Tab continues inside the section.
          onClick={() => document.getElementById(id)?.focus({ preventScroll: true })}
        >
          {names[id]}
        </Link>
      ))}
    </nav>
  )
}
