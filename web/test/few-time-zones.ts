/** Gives tests a few time zones: happy-dom looks at all options of a select whenever one is added, which takes long for 400. */

/** The values of Node, with all of its time zones. */
export const { supportedValuesOf } = Intl

const timeZones = [
  'Africa/Abidjan',
  'Africa/Accra',
  'Africa/Algiers',
  'Africa/Asmera',
  'America/New_York',
  'Europe/Brussels',
  'Europe/Paris',
]

Intl.supportedValuesOf = (key) => (key === 'timeZone' ? timeZones : supportedValuesOf(key))
