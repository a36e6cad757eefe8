import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportAnswer, ImportRead } from "../../views/import.ts";
import { useAction } from "../hooks/use-action.ts";
import { useToast } from "../hooks/use-toast.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { packedFile } from "./packed-file.ts";

export interface Import {
  /** The chosen file's name; null before one is chosen, and once its changes are begun. */
  name: string | null;
  read: ImportRead | null;
  /** Rows that are shown otherwise than before, because somebody changed their origins in between. */
  differing: ReadonlySet<string>;
  /** Nothing was written, because what the owner confirmed no longer held. */
  differs: boolean;
  isBusyElsewhere: boolean;
  state: "idle" | "reading" | "confirming";
  choose(file: File): void;
  confirm(): void;
}

interface Chosen {
  name: string;
  /** Compressed; null where it cannot be sent. */
  packed: Blob | null;
}

/** A file of origins: chosen, shown, confirmed. The browser keeps it, and sends it again with the confirmation. */
export function useImport(): Import {
  const { t } = useTranslation("import");
  const { submit, state, data } = useAction<ImportAnswer>();
  const toast = useToast();
  const announce = useAnnounce();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isPacking, setPacking] = useState(false);
  const [read, setRead] = useState<ImportRead | null>(null);
  const [differing, setDiffering] = useState<ReadonlySet<string>>(new Set());
  const [isConfirming, setConfirming] = useState(false);
  const told = useRef(data);

  const send = ({ packed }: Chosen, shown: string | null) => {
    if (!packed) return;
    setConfirming(shown !== null);
    const form = new FormData();
    form.set("file", packed, "file.csv.gz");
    if (shown !== null) form.set("shown", shown);
    submit(form, { method: "post", encType: "multipart/form-data" });
  };

  useEffect(() => {
    if (!data || data === told.current || state !== "idle") return;
    told.current = data;
    if (data.kind === "started") {
      setChosen(null);
      setRead(null);
      toast(t("started", { count: data.count }));
      announce(t("started", { count: data.count }));
    } else if (data.kind === "busy") {
      announce(t("busy"));
    } else {
      setDiffering(data.kind === "differs" && read ? changedRows(read, data.read) : new Set());
      setRead(data.read);
      const shown = data.read.kind === "unreadable" ? t("unreadable", { name: chosen?.name ?? "" }) : t("shown");
      announce(data.kind === "differs" ? t("differs.title") : shown);
    }
    // Once an answer, whatever else changes.
  }, [data, state]);

  return {
    name: chosen?.name ?? null,
    read,
    differing,
    differs: data?.kind === "differs" && read !== null,
    isBusyElsewhere: data?.kind === "busy",
    state: isPacking ? "reading" : state === "idle" ? "idle" : isConfirming ? "confirming" : "reading",
    choose(file) {
      setRead(null);
      setPacking(true);
      void packedFile(file).then((packed) => {
        setPacking(false);
        const one = { name: file.name, packed: packed instanceof Blob ? packed : null };
        setChosen(one);
        if (packed instanceof Blob) return send(one, null);
        setRead({ kind: "unreadable", fault: packed });
        announce(t("unreadable", { name: file.name }));
      });
    },
    confirm: () => chosen && read?.kind === "read" && send(chosen, read.shown),
  };
}

function changedRows(before: ImportRead, after: ImportRead): ReadonlySet<string> {
  if (before.kind !== "read" || after.kind !== "read") return new Set();
  const were = new Map(before.changed.map((row) => [row.locationId, JSON.stringify(row)]));
  return new Set(
    after.changed.flatMap((row) => (were.get(row.locationId) === JSON.stringify(row) ? [] : [row.locationId])),
  );
}
