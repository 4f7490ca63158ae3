import { paths } from '../../../../lib/paths.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from '../legal-text.ts'
import { type DeviceKey, deviceKeys, recordIds } from './inventory.ts'
import { deviceStorage, records } from './privacy-records-nl.ts'

const places: Record<(typeof deviceKeys)[DeviceKey], string> = {
  browser: 'lokale opslag',
  database: 'IndexedDB',
  cookie: 'cookie',
  tab: 'sessieopslag',
}

const who: LegalSection = {
  id: 'who',
  title: 'Wie we zijn',
  blocks: () => [
    'Deze site wordt uitgebaat door het bedrijf hieronder (“wij”). Voor accounts, betalingen, meldingen van gasten en deze website zijn wij de verwerkingsverantwoordelijke.',
    { operator: { name: 'Bedrijf', address: 'Adres', vat: 'Btw-nummer', email: 'E-mail' } },
    `**Foto’s en gasten.** Wie een foto uploadt (“de eigenaar”: een fotograaf, een zaal, een gastheer), beslist waarom ze gemaakt wordt en wie ze krijgt. Voor foto’s, en voor de adressen van gasten die er een vragen, is de eigenaar de verwerkingsverantwoordelijke en zijn wij de verwerker: we bewaren en versturen ze in opdracht van de eigenaar, zoals de [algemene voorwaarden](${paths.terms}) zeggen. Je mag altijd naar ons schrijven; wat alleen de eigenaar kan beslissen, geven we aan die door.`,
    'We hebben geen functionaris voor gegevensbescherming, omdat de wet er hier geen vraagt. Met vragen over je gegevens kun je terecht op het adres hierboven.',
  ],
}

const what: LegalSection = {
  id: 'what',
  title: 'Wat we bewaren, waarom en hoelang',
  blocks: (context) => {
    const rows = records(context)
    return [
      'Elke rij zegt wat er bewaard wordt, waarom en op welke rechtsgrond van de AVG, en hoelang. Je geeft die gegevens zelf, of ze ontstaan bij het gebruik van de dienst; we kopen geen gegevens en halen ze nergens anders. Zonder e-mailadres en wachtwoord is er geen account; zonder adres kunnen we geen foto sturen. De rest bepaal je zelf.',
      {
        table: {
          caption: 'Wat we bewaren, waarom en hoelang',
          head: ['Wat', 'Waarom', 'Hoelang'],
          rows: recordIds.map((id) => rows[id]),
        },
      },
      'In foto’s wordt niet naar gezichten gezocht. Geen machine beslist over een persoon, en van niemand wordt een profiel gemaakt.',
      'Een account dat door een beheerder gesloten is, kan niet meer gebruikt worden, en anderen kunnen de foto’s niet openen. Daarmee wordt niets gewist; je kunt ons je gegevens vragen, of vragen ze te wissen.',
    ]
  },
}

const guests: LegalSection = {
  id: 'guests',
  title: 'Als je een gast bent',
  blocks: ({ values: v }) => [
    '**Je hebt geen account nodig** om een foto te openen. We tellen dat een foto geopend is, niet wie dat deed. Gastpagina’s bewaren niets op je toestel.',
    `**Laat je je e-mailadres achter**, dan dient dat om je die foto te sturen en voor niets anders: geen nieuws, geen lijst voor anderen. De eigenaar van de foto ziet je adres naast de foto en kan die lijst downloaden. In de e-mail staat een link die ${v.grantHours} uur werkt, en de foto zelf als ze kleiner is dan ${v.attachMb} MB. Naar één adres gaan hooguit ${v.emailsPerHour} zulke e-mails per uur en ${v.emailsPerDay} per dag. Na ${v.requestDays} dagen wordt het adres hier gewist.`,
    '**Heeft iemand anders jouw adres ingevuld?** In elke e-mail staat een link waarmee je alle e-mails met foto’s van deze site stopt, van elke eigenaar. Met dezelfde link kun je dat terugdraaien. Zo trek je ook je toestemming in; wat tot dan verstuurd werd, blijft rechtmatig.',
    '**Sta je op een foto en wil je dat niet?** Kies “Deze foto melden” op de pagina van de foto en zeg waarom. De eigenaar krijgt meteen bericht, kan de foto voor iedereen verbergen en komt niet te weten wie ze meldde. Ook wij zien gemelde foto’s, en verbergen ze waar de wet of de algemene voorwaarden dat vragen. Heb je geen link naar de foto, schrijf ons dan.',
    '**Kinderen.** Een account is voor volwassenen, of met toestemming van een ouder. Een foto waarop een kind staat, kan iedereen melden, met een reden die daarvoor bestaat; ouders kunnen ook naar ons schrijven.',
  ],
}

const device: LegalSection = {
  id: 'device',
  title: 'Cookies en opslag op je toestel',
  blocks: (context) => [
    'Wat de pagina’s nodig hebben om te werken, wordt zonder vragen op je toestel bewaard, zoals de wet toestaat. Het blijft daar: alleen het token van de sessie en de taal worden naar ons gestuurd.',
    {
      table: {
        caption: 'Wat op je toestel bewaard wordt',
        head: ['Naam', 'Doel', 'Tot'],
        rows: Object.entries(deviceKeys).map(([key, place]) => [
          `${key} (${places[place]})`,
          ...deviceStorage(context)[key as DeviceKey], // the keys of the record's type
        ]),
      },
    },
    ...analytics(context.site),
  ],
}

const analytics = ({ analytics: provider, storage_host: store }: LegalContext['site']): LegalBlock[] => {
  const elsewhere = store === null ? '' : ', behalve foto’s uit de opslag die [afdeling](#others) noemt'
  if (provider === null)
    return [
      `**Statistieken.** Deze site heeft geen statistieken: er wordt geen programma geladen dat bezoeken meet, wat je in de cookiemelding ook kiest. Pagina’s laden niets van andere bedrijven${elsewhere}.`,
    ]
  const flag =
    provider.provider === 'plausible'
      ? '; als het pauzeert, staat het teken plausible_ignore heel even in de lokale opslag'
      : ''
  const [name, more] =
    provider.provider === 'matomo'
      ? ['Matomo', ', hoe groot je scherm is en hoe laat het bij je is']
      : ['Plausible', '']
  return [
    `**Statistieken, alleen met je toestemming.** Sta je in de cookiemelding statistieken toe, dan wordt het programma ${name} geladen van ${provider.host}. Dat krijgt te horen welke pagina je opent (zonder parameters en nummers), van welke website je kwam${more}, en wat elk verzoek vertelt: IP-adres, browser en taal. Wij zien daaruit hoeveel mensen welke pagina lezen. Het plaatst geen cookies${flag}. Voor je akkoord gaat, wordt er niets van geladen. Je kunt je toestemming even gemakkelijk intrekken, met de knop voor cookies onderaan de pagina’s; het programma wordt dan verwijderd. Gastpagina’s en grote schermen hebben geen statistieken. Verder laden pagina’s niets van andere bedrijven${elsewhere}.`,
  ]
}

const others: LegalSection = {
  id: 'others',
  title: 'Wie nog gegevens krijgt',
  blocks: ({ site, values: v }) => [
    'We verkopen geen gegevens en tonen geen reclame. Gegevens gaan naar:',
    {
      list: [
        '**Eigenaars van foto’s**: adres, foto en tijdstip van een aanvraag, en meldingen zonder je naam.',
        '**Wie een code of een link** van een foto heeft, ziet die foto, zoals de eigenaar dat wil.',
        '**Het bedrijf waar onze server staat**, als het niet ons eigen bedrijf is: alles wat bewaard wordt, om de machines te laten draaien.',
        site.storage_host === null
          ? '**Foto’s** zijn bestanden op die server.'
          : `**De opslag van foto’s** op ${site.storage_host}: foto’s, miniaturen, logo’s en exports. Je browser haalt foto’s daar op, met een adres dat ${v.presignedSeconds} seconden werkt; de opslag ziet dus je IP-adres.`,
        site.emails === 'smtp'
          ? '**Onze maildienst en die van de ontvanger**: de e-mails die we sturen.'
          : '**E-mails** worden op dit moment niet verstuurd: ze staan als bestanden op onze server, tot ze gewist worden zoals de tabel in [afdeling](#what) zegt.',
        {
          stripe:
            '**Stripe**, onze betaaldienst (voor Europa: Stripe Payments Europe, Ltd., Ierland): je e-mailadres, het nummer van je account, en wat je op de betaalpagina invult. Voor wat Stripe zelf moet nagaan en bewaren, is het zelf verwerkingsverantwoordelijke; het kan gegevens ook in de Verenigde Staten verwerken, onder het EU-US Data Privacy Framework en modelcontractbepalingen. [Privacybeleid van Stripe](https://stripe.com/privacy).',
          demo: '**Betalingen** zijn hier een demonstratie: er gaat geen geld om, en er gaan geen gegevens naar een betaaldienst.',
          off: '**Betalingen**: hier worden geen abonnementen verkocht, dus er gaan geen gegevens naar een betaaldienst.',
        }[site.payments],
        ...(site.analytics === null
          ? []
          : [
              `**${site.analytics.host}**, waar bezoeken geteld worden: wat [afdeling](#device) zegt, als je akkoord ging.`,
            ]),
        '**Programma’s die een eigenaar koppelt** met een API-sleutel of een webhook: foto’s, bestandsnamen en tijdstippen van die eigenaar; via een webhook nooit het adres van een gast.',
        '**Overheden en rechtbanken**, waar een wet ons verplicht.',
      ],
    },
    'Bedrijven die voor ons werken, doen dat met een overeenkomst en volgens onze instructies. Waar gegevens de Europese Economische Ruimte verlaten, is dat alleen met een waarborg die de AVG kent; vraag ons gerust welke.',
  ],
}

const safety: LegalSection = {
  id: 'safety',
  title: 'Hoe gegevens beveiligd zijn',
  blocks: () => [
    'Wachtwoorden, tokens van sessies, API-sleutels en links worden als hash bewaard, en geheimen van webhooks versleuteld. Codes en nummers zijn willekeurig en lang. De e-mailinstelling en de keuze om een foto te verbergen sluiten er meteen elke weg naartoe af. Beeldbestanden worden in een afgeschermd proces geopend. Wat beheerders met accounts doen, wordt opgeschreven. Gaat er met je gegevens iets mis dat voor jou een risico is, dan zeggen we dat aan jou en aan de autoriteit, zoals de wet vraagt.',
  ],
}

const rights: LegalSection = {
  id: 'rights',
  title: 'Je rechten',
  blocks: ({ values: v }) => [
    'Je kunt gratis:',
    {
      list: [
        `je gegevens **inkijken en meenemen**: “Gegevens exporteren” in [Instellingen](${paths.settings}) maakt één bestand met alles; de link werkt ${v.exportDays} dagen.`,
        `ze **verbeteren**: in [Instellingen](${paths.settings}).`,
        `ze **wissen**: foto per foto, of alles met “Mijn account verwijderen” in [Instellingen](${paths.settings}). Account, foto’s en aanvragen zijn meteen weg; een taak wist daarna de bestanden.`,
        `je **toestemming intrekken**: voor e-mails met nieuws en aanbiedingen in [Instellingen](${paths.settings}) (op dit moment worden er geen verstuurd), voor e-mails met foto’s met de link in elke e-mail.`,
        '**bezwaar maken** tegen wat we op grond van een gerechtvaardigd belang doen, of ons vragen het te **beperken**: schrijf ons en zeg waarom.',
      ],
    },
    {
      contact: 'operator',
      before: 'Gasten en alle anderen schrijven naar',
      after:
        'We antwoorden binnen een maand. We mogen iets vragen waaruit blijkt dat de gegevens van jou zijn, zoals een e-mail vanaf dat adres.',
    },
    '**Klachten.** Je kunt klacht indienen bij de Gegevensbeschermingsautoriteit (Autorité de protection des données), Drukpersstraat 35, 1000 Brussel, [www.gegevensbeschermingsautoriteit.be](https://www.gegevensbeschermingsautoriteit.be), contact@apd-gba.be, of bij de autoriteit van het land waar je woont of werkt. Je kunt ook naar de rechtbank.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Wijzigingen',
  blocks: ({ values: v }) => [
    `Een nieuwe versie verschijnt op deze pagina minstens ${v.noticeDays} dagen voor ze geldt, met wat er verandert; vroeger alleen als de wet dat vraagt. Vroegere versies blijven hieronder leesbaar.`,
  ],
}

/** Het privacybeleid in het Nederlands. */
export const text: LegalText = {
  summary: ({ values: v }) => [
    'We bewaren wat nodig is om een foto bij de mens op die foto te krijgen, en niet meer.',
    `Het adres van een gast dient voor de gevraagde foto en wordt na ${v.requestDays} dagen gewist.`,
    'Geen reclame, geen verkoop van gegevens, geen gezichtsherkenning, van niemand een profiel.',
    'Al je gegevens meenemen of zelf wissen kan in Instellingen.',
  ],
  sections: [who, what, guests, device, others, safety, rights, changes],
}
