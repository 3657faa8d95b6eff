/** What the types of the DOM do not say: which elements our selectors and listeners get, and what only some browsers have. */
import type { Htmx } from 'htmx.org'

declare module 'htmx.org' {
  interface HtmxRequestCtx {
    /** The headers `HX-…` of the answer. `HX-Retarget` is `retarget`. */
    hx: Record<string, string>
  }
}

declare global {
  /** The script before ours. */
  const htmx: Htmx
  /** The script of Swagger UI, on the page about the API. */
  const SwaggerUIBundle: (options: object) => void

  interface Window {
    htmx?: Htmx
    /** Safari. */
    ManagedMediaSource?: typeof MediaSource
  }
  interface Navigator {
    /** Chromium. */
    connection?: { effectiveType?: string; saveData?: boolean }
  }

  // Our selectors name HTML elements. A type that is declared for the result may be a narrower one.
  interface ParentNode {
    querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null
    querySelector<E extends HTMLElement = HTMLElement>(selectors: string): E | null
    querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>
    querySelectorAll<E extends HTMLElement = HTMLElement>(selectors: string): NodeListOf<E>
  }
  interface Element {
    closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null
    closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null
  }
  interface Document {
    readonly activeElement: HTMLElement | null
    /** Safari. */
    readonly webkitFullscreenElement?: Element
    webkitExitFullscreen?(): void
    // Our listeners on the document.
    addEventListener(type: 'change', act: (event: FieldEvent) => void): void
    addEventListener(type: 'toggle', act: (event: FoldEvent) => void, captures: true): void
  }
  interface HTMLElement {
    /** Safari. */
    webkitRequestFullscreen?(): void
    addEventListener(type: 'input' | 'change', act: (event: FieldEvent) => void): void
  }

  /** The player of a video. A player of sound is an `<audio>`, which lacks some of this. */
  interface Player extends HTMLVideoElement {
    /** Phones of Apple. */
    webkitEnterFullscreen?(): void
    /** AirPlay, in Safari. */
    webkitShowPlaybackTargetPicker?(): void
    readonly webkitCurrentPlaybackTargetIsWireless?: boolean
    /** Safari. */
    readonly audioTracks?: { readonly length: number; [nth: number]: { enabled: boolean } }
  }
  /** Safari says whether a television is there. */
  type PlayerEvent = Event & { readonly availability?: 'available' | 'not-available' }

  type FieldEvent = Event & { readonly target: HTMLInputElement }
  type FoldEvent = Event & { readonly target: HTMLDetailsElement }

  // Our listeners get what happens to elements, and nothing that happens to the window.
  interface UIEvent {
    readonly target: HTMLElement
  }
  interface SubmitEvent {
    readonly target: HTMLFormElement
  }
  interface CustomEvent {
    readonly target: HTMLElement
  }
}
