export const shell = {
  nav: {
    main: 'Hauptbereich',
    inbox: 'Eingang',
    board: 'Übersicht',
    new: 'Neue Konversation',
    newShort: 'Neu',
    more: 'Mehr',
    settings: 'Optionen',
    skip: 'Zum Inhalt springen',
    back: 'Zurück',
    openCards_one: '{{count}} offene Karte',
    openCards_other: '{{count}} offene Karten',
  },
  common: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    save: 'Speichern',
    saved: 'Gespeichert',
    retry: 'Noch einmal versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    loading: 'Lädt',
    hide: 'Verbergen',
    showAll: 'Alles zeigen',
    optional: 'optional',
    unknown: 'unbekannt',
    undo: 'Rückgängig',
  },
  connection: {
    connecting: 'Verbindet',
    live: 'Live',
    reconnecting: 'Verbindet neu',
    stale: 'Veraltet seit {{time}}',
    offline: 'Offline',
    restored:
      'Die Datenbank des Hubs wurde auf einen älteren Stand zurückgesetzt, bemerkt {{time}}. Was deine Rechner noch hatten, ist zurück. Modi stehen auf dem strengsten, Links und Anmeldungen wurden erneuert. Sieh nach, ob ein widerrufenes Gerät wieder da ist.',
    staleLong:
      'Der Hub ist seit {{time}} nicht erreichbar. Was du siehst, kann veraltet sein; was seine Agents tun, ist von hier nicht zu sehen. Was du tippst, bleibt erhalten.',
    offlineLong:
      'Dieses Gerät hat kein Netz. Was die Agents tun, ist von hier nicht zu sehen; was du tippst, bleibt erhalten, und die Seite holt von selbst auf.',
    unreadable: 'Der Hub spricht eine andere Version als diese Seite. Lade sie neu.',
    reload: 'Neu laden',
    demo: 'Das ist eine Demo: Die Agents sprechen mit einem Modell nach Drehbuch, alles andere ist echt.',
    'no-database': 'Ohne Datenbank',
    noDatabaseLong:
      'Der Hub erreicht seit {{time}} seine Datenbank nicht. Was du siehst, kann veraltet sein; bis sie zurück ist, lässt sich nichts ändern, und was du tippst, bleibt erhalten.',
    demoShort: 'Demo: Modell nach Drehbuch',
    demoFold: 'Hinweis ausblenden',
    demoMark: 'Demo',
  },
  certificate: {
    unreadable:
      'Das neue Zertifikat ist nicht lesbar; das alte gilt weiter, bis {{time}}. Datei: {{file}}',
    'not-a-pair':
      'Das neue Zertifikat passt nicht zu seinem Schlüssel; das alte gilt weiter, bis {{time}}. Datei: {{file}}',
    'other-name':
      'Das neue Zertifikat ist für einen anderen Namen; das alte gilt weiter, bis {{time}}. Datei: {{file}}',
    'not-yet-valid':
      'Das neue Zertifikat gilt noch nicht; das alte gilt weiter, bis {{time}}. Datei: {{file}}',
    expired:
      'Das Zertifikat ist abgelaufen; das verwendete endet am {{time}}. Erneuere es, sonst lehnen Browser diese Seite ab. Datei: {{file}}',
    'ends-soon': 'Das Zertifikat endet bald: {{time}}. Erneuere {{file}}',
  },
  linkAlarm: {
    usedAgain:
      '„{{name}}“ hat einen schon benutzten Anmeldelink noch einmal versucht ({{time}}) und nichts erreicht. Warst du das nicht, hat jemand anders den Link gesehen: Sieh dir deine Geräte an.',
    more: '{{count}} weitere.',
    devices: 'Geräte',
    seen: 'Gesehen',
  },
  states: {
    starting: 'Startet',
    running: 'Läuft',
    'waiting-on-you': 'Wartet auf dich',
    'waiting-on-agent': 'Wartet auf einen Agent',
    'waiting-for-reply': 'Wartet auf deine Antwort',
    idle: 'Ruht',
    done: 'Fertig',
    stuck: 'Hängt',
    failed: 'Fehlgeschlagen',
    asleep: 'Schläft',
    'relay-away': 'Relay weg',
  },
  modes: {
    running: 'Läuft schon; kein Modus hält es an',
    stopRunning: 'Den Zug anhalten',
    label: 'Modus',
    autopilot: 'Autopilot',
    ask: 'Fragen',
    plan: 'Planen',
    autopilotMeans:
      'Liest, schreibt, führt Befehle aus und geht ins Netz, ohne zu fragen. Die Geheimnisse des Hubs bleiben ihm verschlossen. Rückfragen kommen trotzdem zu dir.',
    askMeans:
      'Liest in seinem Ordner, ohne zu fragen. Schreiben, Befehle, das Netz und alles außerhalb seines Ordners warten auf deine Freigabe.',
    planMeans:
      'Ändert nichts und führt nichts aus, das etwas ändert. Er plant, und du gibst den Plan frei.',
    pending: 'Steht aus, bis das Relay ihn hat',
    change: 'Modus ändern',
  },
  palette: {
    title: 'Gehe zu oder tue',
    placeholder: 'Konversationen und Aktionen suchen',
    conversations: 'Konversationen',
    actions: 'Aktionen',
    nothing: 'Nichts passt.',
    open: 'Suchen',
    themeTo: 'Farben: {{theme}}',
  },
  keys: {
    title: 'Tasten',
    pick: 'eine Möglichkeit der Karte wählen oder ankreuzen',
    send: 'die Antwort senden',
    move: 'nächste und vorige Karte im Eingang',
    rows: 'in der Übersicht von Zeile zu Zeile',
    search: 'die Übersicht durchsuchen',
    palette: 'irgendwohin gehen oder etwas tun',
    help: 'diese Tasten zeigen',
  },
  notices: {
    'api-retry': '{{reason}} Neuer Versuch in {{seconds}} s ({{attempt}} von {{most}}).',
    'begun-anew':
      'Der Client des Agents kennt diese Konversation nicht, daher beginnt der Agent ohne das bisher Gesagte.',
    compacted: 'Der Client hat die bisherige Konversation zusammengefasst, um Platz zu schaffen.',
    'reply-cut': 'Die Verbindung brach mitten in der Antwort ab; der Agent macht von dort weiter.',
    'unknown-event': 'Der Client hat etwas geschickt, das diese Version nicht kennt: {{type}}.',
    'hub-restored':
      'Die Datenbank des Hubs wurde auf einen älteren Stand zurückgesetzt. Was dieser Rechner von danach noch hat, folgt.',
    'answered-before-restore':
      'Der Agent hatte hierauf eine andere Antwort bekommen, bevor die Datenbank des Hubs zurückgesetzt wurde; für ihn gilt jene.',
    'relay-restarted': 'Das Relay wurde neu gestartet, daher brach der Turn ab.',
    'process-ended-asking':
      'Der Prozess des Agents ist zu Ende. Seine Frage bleibt offen: Die Antwort setzt ihn fort.',
    'journal-damaged':
      'Ein Teil dessen, was dieser Rechner von dieser Konversation aufbewahrt, wurde beschädigt oder ging verloren. Hier kann etwas fehlen, was der Agent gesagt hat, und eine Nachricht oder Antwort, die auf dem Weg zum Agent war, hat ihn vielleicht nicht erreicht.',
    'journal-full':
      'Das Journal der Maschine ist voll; der Agent wurde angehalten, bis wieder Platz ist.',
  },
  errors: {
    INVALID: 'Der Hub konnte mit dem Gesendeten nichts anfangen. {{message}}',
    TOO_LARGE: 'Das ist zu groß für den Hub.',
    UNAUTHENTICATED: 'Dieses Gerät ist nicht mehr angemeldet.',
    FORBIDDEN: 'Das darf dieses Gerät nicht.',
    FORBIDDEN_ORIGIN:
      'Der Hub bedient diese Adresse nicht. Öffne ihn unter der Adresse, die er ausgegeben hat.',
    NOT_FOUND: 'Das gibt es nicht mehr.',
    ALREADY_SETTLED: 'Das war schon erledigt.',
    STALE_VERSION: 'Es hat sich inzwischen geändert.',
    DEADLINE_PASSED: 'Die Zeit war um, bevor die Antwort kam.',
    INVALID_ANSWER: 'Die Antwort passt nicht zur Frage. {{message}}',
    BAD_SIGNATURE:
      'Der Hub konnte die Unterschrift dieses Geräts nicht prüfen. Melde das Gerät neu an.',
    PASSKEY_NEEDED: 'Dafür wird ein Passkey von dir gebraucht.',
    PASSKEY_REFUSED: 'Der Passkey wurde nicht angenommen. {{message}}',
    LINK_SPENT: 'Der Link wurde schon benutzt.',
    LINK_EXPIRED: 'Der Link ist abgelaufen.',
    MODE_REFUSED: 'Dieser Modus geht hier nicht. {{message}}',
    QUEUE_FULL: 'Die Warteschlange ist voll. Nimm eine Nachricht zurück oder warte.',
    ALREADY_PICKED_UP: 'Der Agent hat sie schon aufgenommen.',
    RELAY_AWAY: 'Das Relay dieser Maschine ist weg. Versuche es, wenn es wieder da ist.',
    RATE_LIMITED: 'Zu viele Aufrufe in kurzer Zeit. Warte einen Moment.',
    UNAVAILABLE:
      'Der Hub kann das gerade nicht; vielleicht ist seine Datenbank weg. Es wurde nichts geändert.',
    INTERNAL:
      'Der Hub hatte selbst einen Fehler; sein Protokoll weiß mehr. Es wurde nichts geändert.',
    unreachable: 'Der Hub ist nicht erreichbar.',
    unreadable:
      'Die Antwort des Hubs war nicht lesbar; Hub und Seite haben vielleicht verschiedene Versionen.',
    noSuchPage: 'Diese Seite gibt es nicht',
    noSuchPageText: 'Die Adresse ist vielleicht vertippt oder aus einer anderen Version.',
    page: 'Diese Seite hatte einen Fehler: {{message}}',
    fallbackTitle: 'Dieser Teil der Seite hatte einen Fehler',
  },
} as const;
