import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { frame } from '../../messages/en/frame.ts'
import type { NavItem, NavItemName } from './nav-items.ts'

interface Props {
  items: readonly NavItem[]
  withIcons?: boolean
  /** Content after a link's name, such as a count. */
  extras?: Partial<Record<NavItemName, ReactNode>>
}

/** Links of a menu. The link of the current page is marked, also for screen readers. */
export function NavLinks({ items, withIcons = false, extras = {} }: Props) {
  const { links } = useText({ frame })
  return items.map(({ name, path, Icon }) => (
    <NavLink key={name} to={path} end>
      {withIcons && Icon && <Icon className="icon" />}
      {links[name]}
      {extras[name]}
    </NavLink>
  ))
}
