"""The functions that the examples call: JSON comes in, JSON goes out. PAWL_RESOURCE says which one is called."""
import json
import os
import sys

FUNCTIONS = {
    "greet": lambda given: {"greeting": given["text"]},
    "alert-nurse": lambda given: {"alerted": given["patient"]},
    "send-order": lambda given: {"ordered": f"tylenol for {given['patient']}"},
    "price": lambda given: {"item": given["item"], "price": 10 * len(given["item"])},
}

print(json.dumps(FUNCTIONS[os.environ["PAWL_RESOURCE"]](json.load(sys.stdin))))
