import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LARGEST_FILE } from "../../views/import.ts";
import type { ImportAnswer, ImportRead } from "../../views/import.ts";
import { useAction } from "../hooks/use-action.ts";
import { useToast } from "../hooks/use-toast.ts";
import { useAnnounce } from "../shell/announcer.tsx";

/** As much as the app takes of one request, less what stands around a file. */
const LARGEST_SENT = 2_000_000;

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
  /** Compressed; null where it is too large to be sent. */
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
      announce(data.kind === "differs" ? t("differs.title") : t("shown"));
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
        const one = { name: file.name, packed };
        setChosen(one);
        if (packed) send(one, null);
        else setRead({ kind: "unreadable", fault: { code: "too_large" } });
      });
    },
    confirm: () => chosen && read?.kind === "read" && send(chosen, read.shown),
  };
}

async function packedFile(file: File): Promise<Blob | null> {
  if (file.size > LARGEST_FILE) return null;
  // Read at once: a file that is saved anew meanwhile could not be sent again.
  const packing = new Blob([await file.arrayBuffer()]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(packing).blob();
  return packed.size > LARGEST_SENT ? null : packed;
}

function changedRows(before: ImportRead, after: ImportRead): ReadonlySet<string> {
  if (before.kind !== "read" || after.kind !== "read") return new Set();
  const were = new Map(before.changed.map((row) => [row.locationId, JSON.stringify(row)]));
  return new Set(
    after.changed.flatMap((row) => (were.get(row.locationId) === JSON.stringify(row) ? [] : [row.locationId])),
  );
}
