#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab reads directories that Kafka has written; needs no Java. See fixtures/README.md."""
import fixtures
import normal_form
from conformance_test import ConformanceTest, main


class Fixtures(ConformanceTest):
    def test_klab_reads_what_kafka_reads(self):
        expected = fixtures.expected()
        self.assertEqual(set(expected), set(fixtures.FOLDERS))
        for name, path in fixtures.paths().items():
            items, is_damaged = self.klab.dump(path)
            # A filtered-* file holds what several cleanings made of one batch, one behind the other.
            damages = [item for file, found in items.items() for item in found
                       if item["kind"] == "damage"
                       and not (file.startswith("filtered-") and normal_form.is_about_order(item))]
            self.assertEqual(damages, [], f"{name}: Kafka's own bytes are whole")
            if name != "batches":
                self.assertFalse(is_damaged, name)
            self.assertEqual(set(items), set(expected[name]), name)
            wrong = []
            for file, theirs in expected[name].items():
                ours = normal_form.klab_items(items[file])
                wrong += [f"{file}: {line}" for line in normal_form.differences(ours, theirs)]
            self.assert_nothing(wrong, name)


if __name__ == "__main__":
    main(needs_java=False)
