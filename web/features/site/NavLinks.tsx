import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { LayoutGrid, LogIn, type LucideIcon, Monitor, SlidersHorizontal, Tag, Upload, UserPlus } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import { frame } from '../../messages/en/frame.ts'
import { paths } from '../../lib/paths.ts'
import type { Catalogue } from '../../messages/en.ts'

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

type NavItemName = keyof Catalogue['frame']['links']
interface NavItem {
  name: NavItemName
  path: string
  Icon: LucideIcon | null
}

type Icons = Partial<Record<NavItemName, LucideIcon>>

const icons: Icons = {
  latest: Monitor,
  gallery: LayoutGrid,
  upload: Upload,
  settings: SlidersHorizontal,
  pricing: Tag,
  login: LogIn,
  register: UserPlus,
}

/** The items of each menu, in order. */
const menus = {
  signedIn: ['latest', 'gallery', 'upload', 'settings', 'pricing'],
  account: ['profile', 'settings', 'events', 'photoRequests', 'insights', 'print'],
  admin: ['admin'],
  signedOut: ['pricing'],
  signedOutPhone: ['pricing', 'login', 'register', 'latest'],
  footer: ['about', 'support', 'withdraw', 'privacy', 'terms', 'accessibility'],
} as const satisfies Record<string, readonly NavItemName[]>

/** The items of a menu whose pages exist; `moreIcons` are those that only this menu needs. */
export function navItems(
  menu: keyof typeof menus,
  availablePaths: readonly string[],
  moreIcons: Icons = {},
): NavItem[] {
  return menus[menu].flatMap((name: NavItemName) => {
    const path = (paths as Partial<Record<NavItemName, string>>)[name] // not every name has a page yet
    return path !== undefined && availablePaths.includes(path)
      ? [{ name, path, Icon: moreIcons[name] ?? icons[name] ?? null }]
      : []
  })
}
